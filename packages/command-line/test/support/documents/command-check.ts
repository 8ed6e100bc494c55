import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Command, CommanderError } from 'commander';
import { PROJECT } from 'customer-data-api/testing/documents/document';
import { newFolder } from 'customer-data-api/testing/new-folder';
import { customerDataCommand } from '../../../command-line.ts';
import { readAwsCall } from './aws-operation.ts';

const ROOT = fileURLToPath(PROJECT);
const BIN = join(ROOT, 'node_modules/.bin');
/** The programs that commands may call. */
const PROGRAMS = ['aws', 'customer-data', 'java', 'mvn', 'npm', 'npx', 'swift'];
const END_OF_WORD = '\x1f';
const END_OF_CALL = '\x1e';

/**
 * Lets a shell parse commands without running their programs: each program only records its words.
 *
 * @param commands a script.
 * @returns the words of each call, the name of the program first.
 * @throws Error when the shell cannot parse the script, or it calls another program.
 */
export async function callsOf(commands: string): Promise<string[][]> {
  await using folder = await newFolder();
  const { path } = folder;
  const log = join(path, 'calls');
  await writeFile(log, '');
  for (const program of PROGRAMS) {
    const noted = `printf '%s\\037' ${program} "$@" >> '${log}'; printf '\\036' >> '${log}'`;
    await writeFile(join(path, program), `#!/bin/sh\n${noted}\n`, { mode: 0o755 });
  }
  // Replaces a lookup in the outputs, which do not exist here.
  await symlink('/bin/true', join(path, 'node'));
  const env = { PATH: path };
  await promisify(execFile)('/bin/sh', ['-euc', commands], { cwd: path, env });
  return (await readFile(log, 'utf8'))
    .split(END_OF_CALL)
    .filter((call) => call !== '')
    .map((call) => call.split(END_OF_WORD).slice(0, -1));
}

/**
 * Checks that a command exists, and so do its options.
 *
 * @param call its words, from `callsOf`.
 * @throws Error that names what does not exist.
 */
export async function checkCall([program, ...words]: readonly string[]): Promise<void> {
  if (program === 'aws') await readAwsCall(words);
  else if (program === 'npx') await checkNpx(words);
  else if (program === 'npm') await checkNpm(words);
  else if (program?.endsWith('customer-data')) await checkCustomerData(words);
  // `npm run test:clients` runs those that call Java or Maven, and `npm run swift` that of Swift.
}

async function checkNpm(words: readonly string[]): Promise<void> {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const args = words.slice(end + 1);
  const [command = '', ...rest] = words.slice(0, end).filter((word) => word !== '--silent');
  // Commands of npm itself.
  if (['ci', 'install', 'pack', 'view'].includes(command)) return;
  const [, workspace = '.'] = rest.includes('-w') ? rest.splice(rest.indexOf('-w'), 2) : [];
  const { scripts } = JSON.parse(await readFile(join(ROOT, workspace, 'package.json'), 'utf8'));
  const name = command === 'run' ? rest.shift() : command;
  const script: string | undefined = scripts[name ?? ''];
  if (!script || rest.length > 0 || !['run', 'start', 'test'].includes(command)) {
    throw new Error(`npm ${words.join(' ')} is not a command that the documents use`);
  }
  // A command without options is not started, because not every script supports --help.
  if (args.length === 0) return;
  const [, file] = /^launch (\S+)$/.exec(script) ?? [];
  if (!file) throw new Error(`npm run ${name} takes no ${args.join(' ')} in the documents`);
  await checkOptions(`npm run ${name}`, process.execPath, [file], args);
}

async function checkNpx([tool = '', ...words]: readonly string[]): Promise<void> {
  // A package that npx downloads must be pinned. Its options are not checked: this check downloads
  // nothing.
  if (/^@?[\w./-]+@\d+\.\d+\.\d+$/.test(tool)) return;
  const file = join(BIN, tool);
  await readFile(file).catch(() => {
    throw new Error(`There is no ${tool} in node_modules/.bin`);
  });
  const [subcommand = ''] = words;
  if (tool === 'cdk') await checkOptions(`cdk ${subcommand}`, file, [subcommand], words.slice(1));
}

/** Parses a command line of ours, and does nothing. */
async function checkCustomerData(words: readonly string[]): Promise<void> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const command = await customerDataCommand({ stdin, stdout, stderr });
  const withoutActions = (one: Command) => {
    if (one.commands.length === 0) one.action(() => {});
    one.commands.forEach(withoutActions);
  };
  withoutActions(command);
  // N stands for a number.
  const args = words.map((word) => word.replace('@N', '@3'));
  await command.parseAsync(args, { from: 'user' }).catch((error: CommanderError) => {
    // A sentence may name a command without its arguments, and an option without its value.
    if (!/^commander\.(?:missing|optionMissing)/.test(error.code)) throw error;
  });
}

const helpTexts = new Map<string, Promise<{ stdout: string }>>();

/** Checks the options of a command against the output of its `--help`. */
async function checkOptions(
  name: string,
  file: string,
  args: readonly string[],
  words: readonly string[],
): Promise<void> {
  const found =
    helpTexts.get(name) ?? promisify(execFile)(file, [...args, '--help'], { cwd: ROOT });
  helpTexts.set(name, found);
  const { stdout: help } = await found;
  // For a subcommand that does not exist, the CDK prints the usage of all.
  if (name.startsWith('cdk') && !help.startsWith(name)) throw new Error(`There is no ${name}`);
  const known = new Set(help.match(/(?<=[\s,])--?[a-z][\w-]*/g));
  for (const word of words) {
    // A number below zero is a value.
    if (!/^--?[a-z]/.test(word)) continue;
    if (!known.has(word)) throw new Error(`${name} has no option ${word}`);
  }
}

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { PROJECT, readDocument } from '../../test/support/documents/document.ts';

/**
 * Options for programs that run for seconds: compiling for speed would take half of the CPU time.
 * Maven compiles Kotlin in its own process, because a daemon would run on for two hours.
 */
export const JVM_OPTIONS = [
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-Dkotlin.compiler.daemon=false',
] as const;

const DOCUMENTS = ['docs/api.md', 'examples/apps/README.md'];
const documents = await Promise.all(DOCUMENTS.map(readDocument));
const blocks = documents.flatMap((document) => document.blocks);
const scripts = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);

/** Downloads the generator, as the documents say. */
export const DOWNLOAD = scripts.find((script) => script.includes('openapi-generator-cli:')) ?? '';

/**
 * The commands that generate a client, by the name of the generator, and the folder of each client
 * from the root of the project.
 */
export const GENERATIONS = scripts
  .flatMap((script) => script.split(/\n(?=java )/))
  .flatMap((script) => {
    const [, language, folder = ''] = / -g (\S+) -o (\S+)/.exec(script) ?? [];
    return language ? [{ language, folder, script }] : [];
  });

/** The scripts that run an app of `examples/apps` against a local server. */
export const APPS = scripts.filter((script) => script.includes('examples/apps/'));

/**
 * Runs a script in the root of the project.
 *
 * @throws UserError with what it printed, if it fails.
 */
export async function runScript(script: string): Promise<void> {
  const env = { ...process.env, JDK_JAVA_OPTIONS: JVM_OPTIONS.join(' ') };
  const options = { cwd: fileURLToPath(PROJECT), env, maxBuffer: 64 * 1024 * 1024 };
  await promisify(execFile)('/bin/sh', ['-euc', script], options).catch((error) => {
    throw new UserError(`${script}\n${error.stdout}${error.stderr}`);
  });
}

/**
 * The arguments of `java` that run a program which `main.ts` has built.
 *
 * @param folder the URL of its Maven project.
 */
export async function argumentsOf(folder: URL, mainClass: string): Promise<string[]> {
  const target = fileURLToPath(new URL('target/', folder));
  const dependencies = await readFile(`${target}classpath`, 'utf8');
  const classpath = [`${target}classes`, dependencies].join(delimiter);
  return [...JVM_OPTIONS, '-cp', classpath, mainClass];
}

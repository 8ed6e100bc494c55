import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { CommandError, runCommand } from '../core/platform/command-error.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const FILE = 'openapi.json';

const command = new Command('npm run breaking --')
  .description('Fails when openapi.json breaks clients of an older one; compared by oasdiff')
  .argument('<git ref>', 'where the older document is, as in main or v1.0.0')
  .action((ref: string) => runCommand(() => compareWith(ref)));

await command.parseAsync();

async function compareWith(ref: string): Promise<void> {
  const run = promisify(execFile);
  const older = await run('git', ['show', `${ref}:./${FILE}`], { cwd: PROJECT }).catch((error) => {
    throw new CommandError(
      `${FILE} cannot be had at ${ref}: ${error.stderr || error.message}`.trim(),
    );
  });
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const olderFile = join(folder, FILE);
  await writeFile(olderFile, older.stdout);
  try {
    // Pinned by the go.mod and go.sum beside it.
    const oasdiff = ['tool', '-C', join(PROJECT, 'openapi/oasdiff'), 'oasdiff', 'breaking'];
    const files = [olderFile, join(PROJECT, FILE)];
    const { stdout } = await run('go', [...oasdiff, '--fail-on', 'ERR', ...files]);
    process.stdout.write(stdout.trim() ? stdout : `${FILE} does not break clients of ${ref}.\n`);
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException & { stdout?: string; stderr?: string });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function explained(error: NodeJS.ErrnoException & { stdout?: string; stderr?: string }) {
  if (error.code === 'ENOENT') {
    return new CommandError('oasdiff is a Go program: install Go 1.24 or newer (https://go.dev).');
  }
  return new CommandError((error.stdout || error.stderr || error.message).trimEnd());
}

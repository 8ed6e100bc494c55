import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { runProgram, UserError } from 'customer-data-api-deployment/program';
import { expectNoBreakingChange } from '../openapi/breaking-changes.ts';
import { lastReleasedDocument } from '../openapi/released-documents.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const DOCUMENT = 'openapi.json';

const command = new Command('npm run breaking --')
  .description('Fails when openapi.json breaks clients of the last release')
  .argument('[git ref]', 'compare with openapi.json at this commit, such as main, instead')
  .action((ref?: string) =>
    runProgram(async () => {
      if (ref) return compareWithCommit(ref);
      const release = await lastReleasedDocument();
      return compare(release, `release ${basename(release, '.json')}`);
    }),
  );

await command.parseAsync();

async function compareWithCommit(ref: string): Promise<void> {
  const older = await promisify(execFile)('git', ['show', `${ref}:./${DOCUMENT}`], {
    cwd: PROJECT,
  }).catch((error) => {
    throw new UserError(`git does not find ${DOCUMENT} at ${ref}: ${error.stderr}`.trim());
  });
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const file = join(folder, DOCUMENT);
  try {
    await writeFile(file, older.stdout);
    await compare(file, ref);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function compare(older: string, name: string): Promise<void> {
  await expectNoBreakingChange(older, join(PROJECT, DOCUMENT));
  process.stdout.write(`${DOCUMENT} does not break clients of ${name}.\n`);
}

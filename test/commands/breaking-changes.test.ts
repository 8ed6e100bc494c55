import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { expectNoBreakingChange } from '../../openapi/breaking-changes.ts';
import { lastReleasedDocument } from '../../openapi/released-documents.ts';
import { DOCUMENT } from '../../openapi/validation.ts';
import { runFile } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const OASDIFF = fileURLToPath(new URL('../../openapi/oasdiff', import.meta.url));

// Only where an earlier `npm run breaking` has fetched oasdiff: tests download no program.
const isFetched = await promisify(execFile)('go', ['tool', '-C', OASDIFF, 'oasdiff', '--version'], {
  env: { ...process.env, GOPROXY: 'off' },
}).then(
  () => true,
  () => false,
);

type Document = typeof DOCUMENT;

const OPENAPI = fileURLToPath(new URL('../../openapi.json', import.meta.url));
const folder = await temporaryFolder();

describe.skipIf(!isFetched)('npm run breaking', () => {
  test('accepts this document after that of the last release', async () => {
    await expectNoBreakingChange(await lastReleasedDocument(), OPENAPI);
  });

  test.each<[name: string, change: (document: Document) => void, message: RegExp, older?: string]>([
    [
      'a removed path',
      ({ paths }) => delete paths['/promoCode/apply'],
      /POST \/promoCode\/apply .*removed/,
    ],
    [
      'a pattern that is not among the accepted changes',
      ({ components }) => {
        components.schemas.ApplyPromoCodeRequest.properties.source.pattern = '^profile$';
      },
      /POST \/promoCode\/apply added the pattern '\^profile\$'/,
    ],
    [
      // Generated clients cannot decode it.
      'a new value of an enumeration in a response',
      ({ components }) =>
        components.schemas.PromoCodeApplied.properties.outcome.enum.push('refused'),
      /'refused'.*'data\/outcome'/,
      OPENAPI,
    ],
  ])('refuses %s', async (_name, change, message, older) => {
    const document = structuredClone(DOCUMENT);
    change(document);
    const changed = join(folder, 'openapi.json');
    await writeFile(changed, JSON.stringify(document));
    const compared = expectNoBreakingChange(older ?? (await lastReleasedDocument()), changed);
    await expect(compared).rejects.toThrow(message);
  });
});

test('npm run breaking leaves nothing behind, whether or not it can compare with a commit', async () => {
  const TMPDIR = join(folder, 'temporary');
  await mkdir(TMPDIR);
  // Without Go, there is nothing to compare with.
  const PATH = join(TMPDIR, 'git');
  await mkdir(PATH);
  const { stdout: git } = await promisify(execFile)('sh', ['-c', 'command -v git']);
  await symlink(git.trim(), join(PATH, 'git'));
  const [missing, found] = await Promise.all(
    ['no-such-commit', 'HEAD'].map((ref) => runFile('.ci/breaking.ts', [ref], { TMPDIR, PATH })),
  );
  const left = await readdir(TMPDIR);
  expect(missing).toMatchObject({ code: 1, stdout: '' });
  expect(missing?.stderr).toMatch(/^git does not find openapi\.json at no-such-commit: /);
  expect(missing?.stderr).not.toContain('    at ');
  expect(found).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'oasdiff is a Go program: install Go 1.24 or newer (https://go.dev).\n',
  });
  expect(left).toEqual(['git']);
});

test('npm run breaking compares with the last release, or with a commit, and says which', async () => {
  // In the place of Go: it keeps the older document, which comes before the newer one.
  const script = `#!/bin/sh
shift $(($# - 2)); cp "$1" '${folder}/older.json'; cp "$2" '${folder}/newer.json'`;
  await writeFile(join(folder, 'go'), script, { mode: 0o755 });
  const PATH = `${folder}:${process.env.PATH}`;
  const compared = async (name: string) => readFile(join(folder, name), 'utf8');

  const ofRelease = await runFile('.ci/breaking.ts', [], { PATH });
  expect(await compared('older.json')).toBe(await readFile(await lastReleasedDocument(), 'utf8'));
  expect(await compared('newer.json')).toBe(await readFile('openapi.json', 'utf8'));
  const ofCommit = await runFile('.ci/breaking.ts', ['HEAD'], { PATH });
  const { stdout } = await promisify(execFile)('git', ['show', 'HEAD:openapi.json']);
  expect(await compared('older.json')).toBe(stdout);

  const release = basename(await lastReleasedDocument(), '.json');
  const said = (name: string) => ({
    ...{ code: 0, stderr: '' },
    stdout: `openapi.json does not break clients of ${name}.\n`,
  });
  expect([ofRelease, ofCommit]).toEqual([said(`release ${release}`), said('HEAD')]);
});

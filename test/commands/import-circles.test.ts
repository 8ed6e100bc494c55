import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../support/new-folder.ts';
import { PROJECT, runFile } from '../support/processes.ts';

const TSCONFIG = JSON.stringify({
  compilerOptions: { module: 'nodenext', noEmit: true, allowImportingTsExtensions: true },
  include: ['**/*.ts'],
});

/** An entry of a folder, which imports what lies beside them. */
const FILES = {
  'tsconfig.json': TSCONFIG,
  'packages/console/page/tsconfig.json': TSCONFIG,
  'packages/console/page/page.ts': 'export {};',
  'core/text.ts': 'export type Text = string;',
  'core/clients/read.ts': "import type { Text } from '../text.ts';\nexport type Name = Text;",
  'core/clients.ts': "export type { Name } from './clients/read.ts';",
};

test('folders that import each other are a circle, even if no file is in one', async () => {
  await using folder = await newFolder();
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await writeFile(join(folder.path, name), text);
  };
  for (const [name, text] of Object.entries(FILES)) await write(name, text);
  const check = () => runFile(join(PROJECT, '.ci/import-circles.ts'), [], {}, folder.path);
  expect(await check()).toMatchObject({ code: 0, stderr: '' });
  // A type is enough, and a test of the same folder is not.
  await write('core/clients/test/other.ts', "import type { Kind } from '../../kinds.ts';");
  await write(
    'core/kinds.ts',
    "import type { Name } from './clients/read.ts';\nexport type Kind = Name;",
  );
  expect(await check()).toMatchObject({ code: 0 });
  await write(
    'core/clients/write.ts',
    "import type { Kind } from '../kinds.ts';\nexport type Own = Kind;",
  );
  const { code, stderr } = await check();
  expect(code).toBe(1);
  expect(stderr).toContain('core/clients/write.ts -> core/kinds.ts');
});

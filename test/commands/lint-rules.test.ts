import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../support/new-folder.ts';
import { PROJECT } from '../support/processes.ts';

/*
 * The rules of lint that are ours: imports stay in their package, literals have their members,
 * checks read whole tables, and clients of AWS are made in one place.
 */

const FORBIDDEN = [
  [
    'core/history/a.ts',
    '../../packages/editor/configurations/errors.ts',
    'must not leave its package',
  ],
  ['packages/local/b.ts', '../deployment/outputs.ts', 'must not leave its package'],
  ['packages/local/server/c.ts', '../../../core/d.ts', 'must not leave its package'],
  ['core/history/d.ts', 'commander', 'commander isn'],
  ['packages/deployment/e.ts', 'hono', 'hono isn'],
  ['functions/f.ts', '../lib/limits.ts', 'which must not import what it does not run'],
] as const;
/** Two spreads of literals, and two that are none. */
const LITERALS = `
export const map = { ...{ one: 1 }, two: 2 };
export const list = [...['one'], 'two'];
export const copies = [...list.slice(), ...['one'].map(String)];
`;
/** Three reads of one page, and one of all. */
const READS = `
export const reads = (client, TableName) => [
  client.send(new QueryCommand({ TableName })),
  client.send(new ScanCommand({ TableName })),
  client.query({ TableName }),
  paginateQuery({ client }, { TableName }),
];
`;
/** A client of AWS that is made outside the one place, and a class that only sounds like one. */
const CLIENTS = `
export const clients = () => [new SQSClient({}), new ScheduledClient({})];
`;
const PERMITTED = [
  ['packages/local/server/g.ts', '../port.ts'],
  ['packages/local/h.ts', 'customer-data-api/operations'],
] as const;

test('the rules refuse each kind that they are there for, and no other', async () => {
  await using folder = await newFolder();
  const file = (name: string) => join(folder.path, name);
  const packages = ['local', 'deployment'].map((name) => `packages/${name}/package.json`);
  const ci = await readdir(join(PROJECT, '.ci'));
  const rules = ci.filter((name) => name.endsWith('.grit')).map((name) => `.ci/${name}`);
  for (const name of ['biome.json', 'package.json', ...rules, ...packages]) {
    await cp(join(PROJECT, name), file(name));
  }
  for (const [name, imported] of [...FORBIDDEN, ...PERMITTED]) {
    await mkdir(dirname(file(name)), { recursive: true });
    await writeFile(file(name), `import '${imported}';\n`);
  }
  await writeFile(file('core/literals.ts'), LITERALS);
  // A function may read a page. A check may not.
  for (const name of ['core/reads.ts', 'packages/local/test/unit/reads.ts', 'lab/e2e/reads.ts']) {
    await mkdir(dirname(file(name)), { recursive: true });
    await writeFile(file(name), READS);
  }
  await writeFile(file('packages/local/server/i.ts'), CLIENTS);
  const { stdout } = spawnSync(
    join(PROJECT, 'node_modules/.bin/biome'),
    ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=100', '.'],
    { cwd: folder.path, encoding: 'utf8' },
  );
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { message: string; location: { path: string } }[];
  };
  const found = diagnostics.map(({ message, location: { path } }) => `${path}: ${message}`);
  for (const [name, , message] of FORBIDDEN) {
    expect(found).toContainEqual(expect.stringMatching(`${name}: .*${message}`));
  }
  const ofLiterals = found.filter((line) => /Write the members of a literal/.test(line));
  expect(ofLiterals).toHaveLength(2);
  const ofReads = found.filter((line) => /^(?:packages|lab)\/.*It reads one page/.test(line));
  expect(ofReads).toHaveLength(6);
  const ofClients = found.filter((line) => /Make it with awsClient/.test(line));
  expect(ofClients).toHaveLength(1);
  const ofCode = [...ofLiterals, ...ofReads, ...ofClients];
  expect(found).toHaveLength(FORBIDDEN.length + ofCode.length);
});

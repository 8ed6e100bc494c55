import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { PROJECT, readDocument } from '../support/documents/document.ts';
import { templateFor } from '../support/stack.ts';

/*
 * Each statement of docs/security.md names the tests, resources or files behind it, and they exist.
 */

const { tables } = await readDocument('docs/security.md');
const rows = tables
  .filter(({ header }) => header.at(-1) === 'shown by')
  .flatMap((table) => table.rows.map((row) => [row[0] ?? '', row.at(-1) ?? ''] as const));
const template = templateFor({ retainData: true, alarmRecipients: 'none' });

test('the document has statements', () => {
  expect(rows.length).toBeGreaterThan(20);
});

test.each(rows)('what is behind this exists: %s', async (_, evidence) => {
  const tests = [...evidence.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+\.test\.ts)\)/g)];
  const named = [...evidence.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  expect(tests.length + named.length).toBeGreaterThan(0);
  for (const [, name = '', file = ''] of tests) {
    const source = await readFile(new URL(file, PROJECT), 'utf8');
    const quoted = [`'${name}'`, `"${name}"`].some((text) => source.includes(text));
    expect(quoted, `${file}: ${name}`).toBe(true);
  }
  for (const name of named) {
    if (name.includes('::')) expect(template.findResources(name), name).not.toEqual({});
    else await readFile(new URL(name, PROJECT));
  }
});

import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { PROJECT, readDocument } from '../support/documents/document.ts';
import { templateFor } from '../support/stack.ts';

/* Each statement of docs/security.md names the tests or resources behind it, and they exist. */

const { tables } = await readDocument('docs/security.md');
const rows = tables
  .filter(({ header }) => header.at(-1) === 'shown by')
  .flatMap((table) => table.rows.map((row) => [row[0] ?? '', row.at(-1) ?? ''] as const));

const template = templateFor({ retainData: true, alarmRecipients: 'none' }).toJSON();
const resourceTypes = new Set(
  Object.values<{ Type: string }>(template.Resources).map(({ Type }) => Type),
);

test('the document has statements', () => {
  expect(rows.length).toBeGreaterThan(20);
});

describe.each(rows)('%s', (_, evidence) => {
  const tests = [...evidence.matchAll(/\[([^\]]+)\]\(\.\.\/(test\/[^)]+\.test\.ts)\)/g)];
  const named = [...evidence.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

  test('names a test or a resource', () => {
    expect(tests.length + named.length).toBeGreaterThan(0);
  });

  test('names tests that exist', async () => {
    for (const [, name = '', file = ''] of tests) {
      const source = await readFile(new URL(file, PROJECT), 'utf8');
      const quoted = [`'${name}'`, `"${name}"`].some((text) => source.includes(text));
      expect(quoted, `${file}: ${name}`).toBe(true);
    }
  });

  test('names resources of a stage that retains its data, or files', async () => {
    for (const name of named) {
      if (name.includes('::')) expect([...resourceTypes]).toContain(name);
      else await readFile(new URL(name, PROJECT));
    }
  });
});

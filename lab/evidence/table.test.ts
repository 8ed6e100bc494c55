import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readRows, withRow } from './table.ts';

const text = await readFile(new URL('../EVIDENCE.md', import.meta.url), 'utf8');
const rows = await readRows();

test('the row of a lane replaces the one before, and all else stays', () => {
  for (const row of rows.values()) {
    expect(withRow(text, row)).toBe(text);
    const changed = withRow(text, { ...row, figures: 'other figures' });
    expect(changed).toBe(text.replace(`| ${row.figures} |`, '| other figures |'));
    const skipped = withRow(text, { ...row, result: 'skipped', digest: '' });
    expect(withRow(skipped, row)).toBe(text);
  }
});

test('the row of a lane that has none is added', () => {
  const [row] = rows.values();
  if (!row) throw new Error('There are no rows.');
  const without = text.replace(/^\| <a id=.*\n/m, '');
  expect(withRow(without, row)).toBe(text);
});

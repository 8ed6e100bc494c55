import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { WORDS } from '../../core/effects/words.ts';
import * as errors from '../../functions/http/errors.ts';
import { readDocument } from '../support/documents/document.ts';
import { namesIn } from '../support/documents/tables.ts';

/* The lists in the documents are complete, and every entry exists. */

test('the runbook says when to run each saved query', async () => {
  const file = join(inject('cloudAssembly'), 'CustomerDataApi-dev.template.json');
  const { Resources } = JSON.parse(await readFile(file, 'utf8'));
  const saved = Object.values<{ Type: string; Properties: { Name: string } }>(Resources)
    .filter(({ Type }) => Type === 'AWS::Logs::QueryDefinition')
    .map(({ Properties }) => Properties.Name.replace('CustomerDataApi-dev/', ''));
  const { text } = await readDocument('docs/runbook.md');
  const named = [...text.matchAll(/(?:`query |saved\s+query\s+`)([a-z]\w*)`/g)].map(
    ([, name]) => name,
  );
  expect([...new Set(named)].sort()).toEqual(saved.sort());
});

test('the runbook says of each kind of harm what shows and what undoes it', async () => {
  const names = await namesIn('docs/runbook.md', 'harm');
  // Only a review tells of more errors.
  const { moreErrors: _, ...told } = WORDS;
  const harm = Object.values(told).filter(({ level }) => level === 'harm');
  for (const { text } of harm) expect(names.filter((name) => text.includes(name))).toHaveLength(1);
  expect(names).toHaveLength(harm.length);
});

test('api.md describes how to handle each error code', async () => {
  const codes = Object.values(errors).flatMap((ErrorClass) => {
    const { code } = Object(Reflect.construct(ErrorClass, [[{ message: '' }]]));
    return typeof code === 'string' ? code : [];
  });
  expect(codes.length).toBeGreaterThan(0);
  expect(await namesIn('docs/api.md', '`data.code`')).toEqual([...new Set(codes)].sort());
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { HARMS } from '../../core/effects/client-effects.ts';
import * as LOG_MESSAGES from '../../core/runtime/log-messages.ts';
import * as errors from '../../functions/http/errors.ts';
import { stageSchema } from '../../lib/settings/settings-json-schema.ts';
import { PROJECT, readDocument } from '../support/documents/document.ts';
import { groupsIn, namesIn, tableOf } from '../support/documents/tables.ts';

/* The lists in the documents are complete, and every entry exists. */

/** The strings that a pattern finds in the code of the functions. */
async function inSources(pattern: RegExp): Promise<string[]> {
  const found = new Set<string>();
  for (const room of ['functions', 'core']) {
    const folder = fileURLToPath(new URL(room, PROJECT));
    for (const file of await readdir(folder, { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const source = await readFile(join(folder, file), 'utf8');
      for (const [, one, other] of source.matchAll(pattern)) found.add(one ?? other ?? '');
    }
  }
  return [...found].sort();
}

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

test('the runbook lists each metric', async () => {
  expect(await namesIn('docs/runbook.md', 'metric')).toEqual(await inSources(/\bcount\('(\w+)'/g));
});

test('the runbook lists each log message, with its level', async () => {
  const rows = await tableOf('docs/runbook.md', 'message');
  const listed = rows.map(([message, level]) => `${level}: ${message}`).sort();
  const levels = ['error', 'warn', 'info'].map(async (level) => {
    // A text, or the name of one that programs find in the log.
    const messages = await inSources(
      new RegExp(`logger\\.${level}\\(\\s*(?:'([^']+)'|([A-Z_]+))`, 'g'),
    );
    return messages.map((message) => `${level}: ${Object(LOG_MESSAGES)[message] ?? message}`);
  });
  expect(listed).toEqual((await Promise.all(levels)).flat().sort());
});

test('the runbook says of each kind of harm what shows and what undoes it', async () => {
  expect(await namesIn('docs/runbook.md', 'harm')).toEqual(Object.values(HARMS).toSorted());
});

test('api.md describes how to handle each error code', async () => {
  const codes = Object.values(errors).flatMap((ErrorClass) => {
    const { code } = Object(Reflect.construct(ErrorClass, [[{ message: '' }]]));
    return typeof code === 'string' ? code : [];
  });
  expect(codes.length).toBeGreaterThan(0);
  expect(await namesIn('docs/api.md', '`data.code`')).toEqual([...new Set(codes)].sort());
});

test('deploy.md says which question each setting answers', async () => {
  const listed = (await groupsIn('docs/deploy.md', 'question')).map(([name]) => name);
  const { $schema, ...settings } = stageSchema().properties ?? {};
  expect(listed.toSorted()).toEqual(Object.keys(settings).toSorted());
});

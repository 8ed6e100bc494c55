import { setImmediate } from 'node:timers/promises';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readClient } from 'customer-data-api/clients';
import { writtenConfiguration } from 'customer-data-api/history';
import { PIZZA } from 'customer-data-api/testing/configurations';
import type { Plan } from 'customer-data-api-editor/configurations';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { parseInBackground, reviewInBackground } from '../../server/background.ts';

const [before, after] = ['', '~'].map((mark) => {
  const fields = structuredClone(parse(PIZZA).fields.slice(0, 1));
  fields[0].subFieldA.optionsArray = Array.from({ length: 3000 }, (_, index) => ({
    value: `${mark}${index}`,
    display: `${mark}${index}`,
  }));
  return readClient(marshall({ clientId: 'pizza', fields, lastFieldId: 1 }));
});
const PLAN = { step: { kind: 'publish' }, before, after: after?.live } as Plan;

test.each([
  ['reviews a change', () => reviewInBackground(PLAN)],
  [
    'parses a file',
    () => parseInBackground(stringify(writtenConfiguration(before?.live.content ?? {}))),
  ],
])('the console answers others while it %s of thousands of options', async (_, start) => {
  let isDone = false;
  const task = start().finally(() => {
    isDone = true;
  });
  let turns = 0;
  while (!isDone) {
    await setImmediate();
    turns += 1;
  }
  // The thread that answers has nothing else to do.
  expect(turns).toBeGreaterThan(10);
  await task;
});

test('after a task that fails, others succeed', async () => {
  const failing = [parseInBackground(null as never), reviewInBackground(PLAN)];
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
  await expect(parseInBackground('fields: []')).resolves.toBeDefined();
});

test('a review of thousands of effects is short', async () => {
  const { effects, lines } = await reviewInBackground(PLAN);
  expect(effects.length).toBeLessThan(30);
  expect(lines.at(-1)).toMatch(/^… and [\d,]+ more lines$/);
});

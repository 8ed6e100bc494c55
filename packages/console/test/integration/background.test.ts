import { setImmediate } from 'node:timers/promises';
import { marshall } from '@aws-sdk/util-dynamodb';
import { PIZZA } from 'customer-data-api/testing/configurations';
import { configurationIn, type Plan } from 'customer-data-api-operator';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { reviewInBackground } from '../../server/review-in-background.ts';

test('the console answers others while it reviews a change of thousands of options', async () => {
  const [before, after] = ['', '~'].map((mark) => {
    const fields = structuredClone(parse(PIZZA).fields.slice(0, 1));
    fields[0].subFieldA.optionsArray = Array.from({ length: 3000 }, (_, index) => ({
      value: `${mark}${index}`,
      display: `${mark}${index}`,
    }));
    return configurationIn('pizza', marshall({ fields, lastFieldId: 1 }));
  });
  const plan = { before, after } as Plan;
  let isDone = false;
  const review = reviewInBackground(plan).finally(() => {
    isDone = true;
  });
  let turns = 0;
  while (!isDone) {
    await setImmediate();
    turns += 1;
  }
  // The thread that answers has nothing else to do.
  expect(turns).toBeGreaterThan(10);
  const { changes, lines } = await review;
  expect(changes.length).toBeLessThan(30);
  expect(lines.at(-1)).toMatch(/^… and [\d,]+ more lines$/);
});

import { marshall } from '@aws-sdk/util-dynamodb';
import { readClient } from 'customer-data-api/clients';
import { PIZZA } from 'customer-data-api/testing/configurations';
import type { Plan } from 'customer-data-api-editor/configurations';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { reviewForPage } from '../../server/review.ts';

test('a review of thousands of effects is short', () => {
  const [before, after] = ['', '~'].map((mark) => {
    const fields = parse(PIZZA).fields.slice(0, 1);
    fields[0].subFieldA.optionsArray = Array.from({ length: 3000 }, (_, index) => ({
      value: `${mark}${index}`,
      display: `${mark}${index}`,
    }));
    return readClient(marshall({ clientId: 'pizza', fields, lastFieldId: 1 }));
  });
  const plan = { step: { kind: 'publish' }, before, after: after?.live } as Plan;
  const { effects, lines } = reviewForPage(plan);
  expect(effects.length).toBeLessThan(30);
  expect(lines.at(-1)).toMatch(/^… and [\d,]+ more lines$/);
});

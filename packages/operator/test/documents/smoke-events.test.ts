import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDocument } from 'customer-data-api/testing/documents/document';
import { PROMO_REQUEST, startService } from 'customer-data-api/testing/service';
import { expect, test } from 'vitest';
import { readEventPattern } from '../../promo-events/event-pattern.ts';
import { customerData } from '../support/command-line.ts';

test('the event pattern in docs/promo-events.md leaves out the events of smoke, and nothing else', async () => {
  const { blocks } = await readDocument('docs/promo-events.md');
  const patterns = blocks.filter(({ text }) => text.includes('anything-but'));
  expect(patterns).toHaveLength(1);
  const matches = readEventPattern(patterns[0]?.text ?? '');

  await using service = await startService();
  const { code } = await customerData(['smoke', '--outputs', service.outputsFile]);
  expect(code).toBe(0);
  const events = async () =>
    (await readFile(join(service.folder, 'events.jsonl'), 'utf8'))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const ofSmoke = await events();
  expect(ofSmoke.map((event) => event['detail-type'])).toContain('applied');
  expect(ofSmoke.filter(matches)).toEqual([]);

  await service.applyPromoCode({ body: PROMO_REQUEST });
  const received = (await events()).filter(matches);
  expect(received.map(({ detail }) => detail.item.clientId.S)).toEqual([PROMO_REQUEST.clientId]);
});

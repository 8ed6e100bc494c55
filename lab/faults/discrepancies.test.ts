import { expect, test } from 'vitest';
import type { Application } from './application.ts';
import { findDiscrepancies, type Item } from './discrepancies.ts';

/* What judges the campaign of faults must not be blind. */

const [DATE, LATER] = ['2026-11-20T09:30:00.000Z', '2026-11-20T09:31:00.000Z'];
const of = (requestDate: string) => ({ promoCode: 'CODE', requestDate, source: requestDate });
const sent = [DATE, LATER].map(
  (date): Application => ({
    ...of(date),
    codeIdentity: 'CODE',
    user: 'jane',
    deviceId: 'device',
    flaw: undefined,
    isPersistent: false,
  }),
);
const item = (kind: Item['kind'], date: string, source = date): Item => ({
  ...of(date),
  source,
  kind,
  clientId: 'demo',
  userId: 'jane',
  eventId: `jane#CODE#${kind === 'applied' ? kind : date}`,
  eventType: 'promo_applied',
  deviceId: 'device',
  receivedAt: date,
});
const withCase = (one: Item) => ({ ...one, promoCode: 'code', codeIdentity: 'CODE' });
const [applied, repeated] = [item('applied', DATE), item('repeated', LATER)];

test.each([
  ['nothing', 'queued', [applied, repeated], [0, 0, 0]],
  ['nothing of a request without an answer', 'unresolved', [applied], [0, 0, 0]],
  ['an accepted request that is missing', 'accepted', [applied], [1, 0, 0]],
  ['a queued request that is missing', 'queued', [applied], [1, 0, 0]],
  ['a request that is stored twice', 'unresolved', [applied, item('repeated', DATE)], [0, 1, 0]],
  ['a code that is applied twice', 'accepted', [applied, item('applied', LATER)], [0, 1, 0]],
  ['nothing of a code in another case', 'accepted', [applied, withCase(repeated)], [0, 0, 0]],
  [
    'a code that is applied twice in another case',
    'accepted',
    [applied, withCase(item('applied', LATER))],
    [0, 1, 0],
  ],
  ['a code that is not applied', 'accepted', [item('repeated', DATE), repeated], [0, 1, 0]],
  ['what was not sent', 'unresolved', [applied, item('repeated', LATER, 'x')], [0, 0, 1]],
  [
    'nothing of a device that is not stored',
    'unresolved',
    [{ ...applied, deviceId: '' }],
    [0, 0, 0],
  ],
  ['the device of another', 'unresolved', [{ ...applied, deviceId: 'another' }], [0, 0, 1]],
] as const)('the campaign finds %s', (_, outcome, items, counts) => {
  const published = items.map(({ eventId }) => eventId);
  const found = findDiscrepancies(sent, ['accepted', outcome], items, published);
  const { lost, duplicated, unexpected, unpublished } = found;
  expect([lost, duplicated, unexpected].map(({ length }) => length)).toEqual(counts);
  expect(unpublished).toEqual([]);
});

test('the campaign finds what is stored although it was refused', () => {
  const refused = sent.map((one) => ({ ...one, flaw: 'body' as const }));
  const published = [applied.eventId];
  const { unexpected } = findDiscrepancies(refused, ['refused', 'refused'], [applied], published);
  expect(unexpected).toHaveLength(1);
});

test.each([
  ['no event that comes twice', [applied.eventId, repeated.eventId, applied.eventId], [], []],
  ['an item that is not on the bus', [applied.eventId], [], [repeated.eventId]],
  ['an event without an item', [applied.eventId, repeated.eventId, 'x'], ['x'], []],
])('the campaign finds %s', (_, published, unexpected, unpublished) => {
  const items = [applied, repeated];
  const found = findDiscrepancies(sent, ['accepted', 'accepted'], items, published);
  expect(found).toEqual({ lost: [], duplicated: [], unexpected, unpublished });
});

import { expect, test } from 'vitest';
import type { Application } from '../../faults/application.ts';
import { findDiscrepancies, type Item } from '../../faults/discrepancies.ts';

const DATE = '2026-11-20T09:30:00.000Z';
const LATER = '2026-11-20T09:31:00.000Z';

const NONE = { lost: [], duplicated: [], unexpected: [] };

function application(requestDate: string, source: string): Application {
  return {
    ...{ user: 'jane', promoCode: 'WELCOME10', requestDate, source },
    flaw: undefined,
    isPersistent: false,
  };
}

function item(kind: 'applied' | 'repeated', requestDate: string, source: string): Item {
  const eventId = kind === 'applied' ? 'jane#WELCOME10#applied' : `jane#WELCOME10#${requestDate}`;
  return {
    ...{ clientId: 'demo', userId: 'jane', promoCode: 'WELCOME10', requestDate, source },
    ...{ kind, eventId, eventType: 'promo_applied', deviceId: 'device', receivedAt: requestDate },
  };
}

const first = application(DATE, 'source-0');
const second = application(LATER, 'source-1');
const applied = item('applied', DATE, 'source-0');
const repeated = item('repeated', LATER, 'source-1');

test('an applied code and its repetition are no discrepancy', () => {
  expect(findDiscrepancies([first, second], ['accepted', 'queued'], [applied, repeated])).toEqual(
    NONE,
  );
});

test('a refused or unresolved request may be missing', () => {
  expect(findDiscrepancies([first, second], ['accepted', 'unresolved'], [applied])).toEqual(NONE);
});

test.each(['accepted', 'queued'] as const)('an %s request must not be missing', (outcome) => {
  expect(findDiscrepancies([first, second], ['accepted', outcome], [applied])).toEqual({
    ...NONE,
    lost: [`jane WELCOME10 ${LATER}`],
  });
});

test('a request must not be stored twice', () => {
  const again = item('repeated', DATE, 'source-0');
  expect(findDiscrepancies([first], ['accepted'], [applied, again])).toEqual({
    ...NONE,
    duplicated: [`jane WELCOME10 ${DATE}`],
  });
});

test('a code must be applied once', () => {
  const twice = item('applied', LATER, 'source-1');
  for (const items of [[repeated], [applied, twice]]) {
    const { duplicated } = findDiscrepancies([first, second], ['unresolved', 'accepted'], items);
    expect(duplicated).toEqual(['jane WELCOME10']);
  }
});

test('a refused request and a request that was never sent must not be stored', () => {
  const refused = { ...first, flaw: 'body' } as const;
  const forged = { ...applied, source: 'source-9' };
  for (const [applications, stored] of [
    [[refused], applied],
    [[first], forged],
  ] as const) {
    const { unexpected } = findDiscrepancies(applications, ['refused'], [stored]);
    expect(unexpected).toEqual(['jane#WELCOME10#applied']);
  }
});

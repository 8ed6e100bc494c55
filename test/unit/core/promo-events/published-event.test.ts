import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { readItem } from '../../../../core/aws/attribute-values.ts';
import { appliedEventId } from '../../../../core/promo-events/promo-event.ts';
import { PromoEventDetail, publishedEvent } from '../../../../core/promo-events/published-event.ts';
import { attributes, attributeValue } from '../../../support/attribute-values.ts';
import { eventOf } from '../../../support/promo-event.ts';

const EVENT = eventOf('jane', { promoCodeToken: 'a token' });
const ITEM = { ...EVENT, eventId: appliedEventId(EVENT), kind: 'applied', expiresAt: 1795685402 };
const text = fc.string({ unit: 'grapheme' });

const read = (item: object) => publishedEvent(readItem(marshall(item)));

test('the detail has the values of the item, the version, and the identity of the code', () => {
  const { kind, ...stored } = ITEM;
  expect(read(ITEM)).toEqual({
    detailType: 'applied',
    detail: { ...stored, version: '2', codeIdentity: 'CODE' },
  });
  const lowerCase = { ...ITEM, kind: 'repeated', promoCode: 'code', codeIdentity: 'CODE' };
  expect(read(lowerCase)).toMatchObject({
    detailType: 'repeated',
    detail: { promoCode: 'code', codeIdentity: 'CODE' },
  });
});

test('whatever texts a stored item has, its event is what the schema describes, also as JSON', () => {
  const texts = fc.record(
    {
      clientId: text,
      userId: text,
      promoCode: text,
      promoCodeToken: text,
      eventType: text,
      source: text,
      deviceId: text,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(texts, (values) => {
      const { detail } = read({ ...ITEM, ...values });
      expect(v.parse(PromoEventDetail, detail)).toEqual(detail);
      expect(JSON.parse(JSON.stringify(detail))).toEqual(detail);
    }),
  );
});

test('an item that somebody wrote by hand keeps what the schema describes, and nothing else', () => {
  const names = Object.keys(PromoEventDetail.entries);
  const damage = fc.dictionary(fc.constantFrom(...names, 'kind'), attributeValue);
  fc.assert(
    fc.property(attributes, damage, (others, damaged) => {
      const item = readItem({ ...marshall(ITEM), ...others, ...damaged });
      const { detailType, detail } = publishedEvent(item);
      expect(detailType).toBe(typeof item.kind === 'string' ? item.kind : '');
      expect(v.parse(v.partial(PromoEventDetail), detail)).toEqual(detail);
      expect(detail).toMatchObject({ version: '2' });
    }),
  );
});

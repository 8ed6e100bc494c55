import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { appliedEventId } from '../../../core/promo-events/promo-event.ts';
import { publishedEvent } from '../../../core/promo-events/published-event.ts';
import { EVENTS_DOCUMENT, eventDeviations } from '../../../openapi/validation.ts';
import { busEvent } from '../../support/bus-event.ts';
import { eventOf } from '../../support/promo-event.ts';

test('asyncapi.json is an AsyncAPI document', async () => {
  const file = createRequire(import.meta.url).resolve(
    '@asyncapi/specs/schemas/3.0.0-without-$id.json',
  );
  const schema = JSON.parse(await readFile(file, 'utf8'));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const isValid = ajv.compile(schema);
  isValid(EVENTS_DOCUMENT);
  expect(isValid.errors).toBe(null);
  expect(isValid({ ...EVENTS_DOCUMENT, channels: { bus: { address: 7 } } })).toBe(false);
});

const EVENT = eventOf('jane');
const ITEM = { ...EVENT, eventId: appliedEventId(EVENT), kind: 'applied', expiresAt: 1795685402 };
const PUBLISHED = busEvent(publishedEvent(ITEM));
const { detail } = PUBLISHED;

test('events of another version, type or form are not those of the document', () => {
  expect(eventDeviations(PUBLISHED)).toEqual([]);
  for (const change of [
    { 'detail-type': 'removed' },
    { source: 'another' },
    { detail: { ...detail, version: '1' } },
    { detail: { ...detail, expiresAt: '1795685402' } },
    { detail: { version: '2', item: detail } },
  ]) {
    expect(eventDeviations({ ...PUBLISHED, ...change })).not.toEqual([]);
  }
});

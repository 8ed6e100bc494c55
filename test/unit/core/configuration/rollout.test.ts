import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  bucketKey,
  candidateRule,
  rolloutBucket,
} from '../../../../core/clients/rollout-devices.ts';
import { rolloutFindings } from '../../../../core/configuration/rollout-findings.ts';
import { devicesIn, normalDevice } from '../../../../core/device.ts';
import { HEADER_SCHEMAS } from '../../../../functions/middlewares/check-headers.ts';
import { runs } from '../../../support/runs.ts';

const share = (id: string, percent: number) => ({ id, percent, devices: [] });
const isCandidate = (id: string, percent: number, deviceId: string) =>
  candidateRule(share(id, percent))({ deviceId });
const Percent = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
const Device = fc.string({ minLength: 1 }).filter((id) => normalDevice(id) !== undefined);

test('a device that gets the candidate keeps it', () => {
  fc.assert(
    fc.property(fc.uuid(), Device, Percent, Percent, (id, device, ...percents) => {
      const [small = 0, large = 0] = percents.toSorted((one, other) => one - other);
      if (isCandidate(id, small, device)) expect(isCandidate(id, large, device)).toBe(true);
    }),
  );
});

const DEVICES = Array.from({ length: runs(100_000) }, (_, number) => `device ${number}`);
/** True if a count of devices is within three standard deviations of a share. */
const isNear = (count: number, probability: number) =>
  Math.abs(count - DEVICES.length * probability) <=
  3 * Math.sqrt(DEVICES.length * probability * (1 - probability));

test.each([1, 50, 100])(
  'a share of %d % has as many of all devices',
  (percent) => {
    const reached = DEVICES.filter((device) => isCandidate('one', percent, device));
    expect(isNear(reached.length, percent / 100)).toBe(true);
  },
  60_000,
);

test('two rollouts choose independently', () => {
  const both = DEVICES.filter((device) =>
    ['one', 'another'].every((id) => isCandidate(id, 30, device)),
  );
  expect(isNear(both.length, 0.3 * 0.3)).toBe(true);
});

const ID = '38400000-8CF0-11BD-B23E-10B96E40000D';

const PLACEHOLDERS = [
  '',
  '0',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '***************',
  'null',
  'None',
  'unknown',
  '9774d56d682e549c',
  '02:00:00:00:00:00',
  '[object Object]',
  "Instance of 'Future<String?>'",
  'Optional("null")',
  'null, null',
];

test('what phones send in place of an id is no device, whatever wraps or cases it', () => {
  const Wrapped = fc.tuple(fc.constantFrom(...PLACEHOLDERS), fc.constantFrom('', '{}', '""', '()'));
  const cases = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.toUpperCase(),
    (text: string) => text.toLowerCase(),
  );
  const everyone = { ...share('one', 100), devices: PLACEHOLDERS };
  fc.assert(
    fc.property(Wrapped, cases, fc.uuid(), ([word, wrap], inCase, made) => {
      const none = wrapped(inCase(word), wrap);
      expect(normalDevice(none)).toBeUndefined();
      expect(devicesIn(none)).toHaveProperty('problem');
      const getsCandidate = candidateRule(everyone);
      expect(getsCandidate({ deviceId: none })).toBe(false);
      expect(getsCandidate({ installationId: made, deviceId: none })).toBe(true);
      expect(getsCandidate({ installationId: none, deviceId: made })).toBe(false);
    }),
    { numRuns: runs(1000) },
  );
});

const UUID = fc.uuid();
const Mixed = UUID.chain((id) => fc.constantFrom(id, id.toUpperCase()));
const Wrap = fc.constantFrom('{}', '""', '“”', '<>', '  ', '" ,', '『』', '、;');
const wrapped = (id: string, wrap: string) =>
  `${wrap.slice(0, wrap.length / 2)}${id}${wrap.slice(wrap.length / 2)}`;

test('what wraps a UUID is no part of it, for phones and for operators', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(Mixed, Wrap), { minLength: 1 }), (all) => {
      const ids = all.map(([id]) => id.toLowerCase());
      const texts = all.map(([id, wrap]) => wrapped(id, wrap));
      expect(texts.map(normalDevice)).toEqual(ids);
      expect(devicesIn(texts.join(', '))).toEqual(ids);
    }),
  );
});

test('a device that is named is one that a phone can be, as the service compares it', () => {
  const Named = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.oneof(Mixed, fc.constantFrom(',', ' ', '"', 'x', '-', '0', '\t')), { maxLength: 5 })
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(Named, (text) => {
      const devices = devicesIn(text);
      if ('problem' in devices) return;
      for (const device of devices) {
        expect(normalDevice(device)).toBe(device);
        expect(v.is(HEADER_SCHEMAS.deviceId, device)).toBe(true);
      }
    }),
    { numRuns: runs(1000) },
  );
});

test.each([
  ['a UUID with more', `id=${ID}`, `urn:uuid:${ID}`, `${ID}${ID}`, `${ID}, my phone`],
  ['what no header has', 'a\nb', 'a\u0000', '\u200bphone', '\ufffd', 'x'.repeat(129)],
  [
    'no device',
    '',
    ' ',
    '0',
    '{00000000-0000-0000-0000-000000000000}',
    `${ID}, ${ID.replace(/\w/g, '0')}`,
  ],
])('%s names none', (_, ...texts) => {
  for (const text of texts) expect(devicesIn(text), text).toHaveProperty('problem');
});

test('printable text without a UUID is a device as it is', () => {
  const ids = ['Nana', 'Null Island', 'nil2', '02:00:00:00:00:01', '0A', 'ffff'];
  for (const text of [...ids, 'Phone 7', 'A,B', '{A}', 'Ünïcode', '38400000 8cf0']) {
    expect(devicesIn(text)).toEqual([text]);
    expect(normalDevice(text)).toBe(text);
  }
});

test('the bucket of a device never changes', () => {
  const file = new URL('rollout-buckets.json', import.meta.url);
  const vectors = JSON.parse(readFileSync(file, 'utf8'));
  expect(vectors.length).toBeGreaterThan(4);
  for (const { id, device, installation, bucket } of vectors) {
    const key = bucketKey({ deviceId: device, installationId: installation });
    expect(key === undefined ? null : rolloutBucket(id, key)).toBe(bucket);
  }
});

const good = {
  id: 'one',
  fields: [],
  percent: 5,
  devices: [],
  base: 'digest',
  lastFieldId: 1,
  language: 'de',
};

test('what is damaged in a rollout is reported at its place, and an unknown attribute, too', () => {
  const findings = (rollout: unknown) =>
    rolloutFindings({ rollout }).map(({ code, path }) => `${code} ${path.join('.')}`);
  expect([findings(undefined), findings(good)]).toEqual([[], []]);
  for (const [name, value] of Object.entries({ id: '', fields: {}, percent: 101, devices: [1] })) {
    const [found] = findings({ ...good, [name]: value });
    expect(found).toMatch(new RegExp(`^invalidRollout rollout.${name}`));
  }
  expect(findings('soon')).toEqual(['invalidRollout rollout']);
  expect(findings({ ...good, alarm: 'crashes' })).toEqual(['unknownAttribute rollout.alarm']);
});

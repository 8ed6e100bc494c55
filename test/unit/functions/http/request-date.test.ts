import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRequestDate } from '../../../../functions/http/request-date.ts';

test.each([
  ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20T09:30:00+00:00', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20T09:30:00+0000', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20T09:30:00.5+00', '2026-11-20T09:30:00.500Z'],
  ['2026-11-20T09:30Z', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20T09:30:00,25Z', '2026-11-20T09:30:00.250Z'],
  ['2026-11-20T09:30:00.123400000Z', '2026-11-20T09:30:00.1234Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
])('%s is %s', (text, normalForm) => {
  const time = Date.parse(`${normalForm.slice(0, 23)}Z`);
  expect(parseRequestDate(text)).toEqual({ normalForm, time });
});

test.each([
  '2026-11-20T09:30:00',
  '2026-11-20T09:30:00+01:00',
  '2026-11-20T09:30:00-00:00',
  '2026-11-20T09:30:00+000',
  '20261120T093000Z',
  '2026-11-20 09:30:00Z',
  '2026-11-20',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T23:59:60Z',
  '2026-11-20T09:30:00.1234567890Z',
  '2026-11-20T09:30.5Z',
  'Fri, 20 Nov 2026 09:30:00 GMT',
  '2026-11-20T09:30:00Z\n',
  '２０２６-11-20T09:30:00Z',
])('%j is no date', (text) => {
  expect(parseRequestDate(text)).toBeUndefined();
});

const date = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});

test('two moments never have the same normal form, to the nanosecond', () => {
  const fraction = fc.stringMatching(/^\d{1,9}$/);
  fc.assert(
    fc.property(date, fraction, fraction, (moment, one, other) => {
      const formOf = (digits: string) =>
        parseRequestDate(`${moment.toISOString().slice(0, 19)}.${digits}Z`)?.normalForm;
      const isSameMoment = one.padEnd(9, '0') === other.padEnd(9, '0');
      expect(formOf(one) === formOf(other)).toBe(isSameMoment);
    }),
  );
});

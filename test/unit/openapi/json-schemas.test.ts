import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { ApplyPromoCodeRequest } from '../../../functions/apply-promo-code/operation.ts';
import { HEADER_SCHEMAS } from '../../../functions/middlewares/check-headers.ts';
import { validatorAt } from '../../../openapi/validation.ts';

/*
 * The document may be stricter than the service, where JSON Schema cannot express a rule. It is
 * never laxer.
 */

const { entries } = ApplyPromoCodeRequest;
const STRINGS: readonly { at: string; schema: v.GenericSchema }[] = [
  ...Object.entries(entries).map(([name, schema]) => ({
    at: `ApplyPromoCodeRequest/properties/${name}`,
    schema,
  })),
  // The middleware trims a header before it checks it.
  { at: 'DeviceId', schema: v.pipe(v.string(), v.trim(), HEADER_SCHEMAS.deviceId) },
];

/** Characters of every kind, with each control character and each kind of white space. */
const CHARACTERS = [...Array.from({ length: 0xd800 }, (_, code) => code), 0x1f381]
  .concat(Array.from({ length: 0x2000 }, (_, index) => 0xe000 + index))
  .map((code) => String.fromCodePoint(code));
const SPACES = CHARACTERS.filter((character) => character.trim() === '');
const CONTROLS = CHARACTERS.filter((character) => /\p{Cc}/u.test(character));

function described(name: string): (value: unknown) => boolean {
  const validate = validatorAt(`/components/schemas/${name}`);
  return (value) => validate(value) === true;
}

describe.each(STRINGS)('$at', ({ at, schema }) => {
  const isDescribed = described(at);
  const isTooLax = (value: string) => isDescribed(value) && !v.is(schema, value);

  test('the service accepts each character that the document allows', () => {
    expect(CHARACTERS.filter((value) => isDescribed(value))).toContain('A');
    expect(CHARACTERS.filter(isTooLax)).toEqual([]);
  });

  test('the service accepts each string that the document allows', () => {
    const character = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...'aZ09#%/:~') },
      { weight: 3, arbitrary: fc.constantFrom('é', '界', '🎁') },
      { weight: 1, arbitrary: fc.constantFrom(...SPACES, ...CONTROLS) },
    );
    const string = fc.oneof(
      fc.string({ unit: character, maxLength: 12 }),
      // It has more bytes than an identifier may have, in fewer characters.
      fc.string({ unit: fc.constantFrom('é', '界', '🎁'), minLength: 60, maxLength: 130 }),
    );
    fc.assert(
      fc.property(string, (value) => {
        expect([value, isTooLax(value)]).toEqual([value, false]);
      }),
    );
  });
});

test('the document allows every ASCII identifier that the service accepts', () => {
  const isDescribed = described('ApplyPromoCodeRequest/properties/userId');
  const lengths = [1, 64, 255, 256].map((length) => 'x'.repeat(length));
  expect(lengths.map((value) => isDescribed(value))).toEqual([true, true, true, false]);
  expect(lengths.map((value) => v.is(entries.userId, value))).toEqual([true, true, true, false]);
});

test.each([{ name: '__proto__' }])(
  'the document refuses a property $name at any depth of objects',
  ({ name }) => {
    const isDescribed = described('GetConfigRequest');
    const request = (unknown: string) => JSON.parse(`{ "clientId": "demo", ${unknown} }`);
    const refused = [`"${name}": 1`, `"a": { "${name}": 1 }`, `"a": { "b": { "${name}": 1 } }`];
    expect(refused.map(request).filter((value) => isDescribed(value))).toEqual([]);
    expect(isDescribed(request('"a": [{ "b": [{ "c": 1 }] }]'))).toBe(true);
  },
);

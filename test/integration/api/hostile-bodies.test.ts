import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const good = JSON.stringify(PROMO_REQUEST);
/** A valid body with more text before its closing brace. */
const and = (more: string) => `${good.slice(0, -1)},${more}}`;
/** A valid body with other values. */
const withValues = (values: Record<string, unknown>) =>
  JSON.stringify({ ...PROMO_REQUEST, ...values });
/** A valid body with the given JSON as its promo code. */
const withCode = (json: string) => good.replace('"WELCOME10"', json);

const bytes = (...values: number[]) => Buffer.from(values);
const utf16 = Buffer.from(good, 'utf16le');

const BODIES: readonly [name: string, body: string | Buffer, status: number][] = [
  // Not JSON
  ['white space', ' \n\t', 400],
  ['UTF-16', utf16, 400],
  ['a NUL before it', `\0${good}`, 400],
  ['a NUL after it', `${good}\0`, 400],
  ['bytes that are not UTF-8', bytes(0xff, 0xfe, 0x00), 400],
  ['an overlong encoding of a brace', bytes(0xc1, 0xbb, 0x7d), 400],
  ['gzip', bytes(0x1f, 0x8b, 8, 0, 0, 0, 0, 0), 400],
  ['a form', 'clientId=demo&promoCode=X', 400],
  ['XML', '<clientId>demo</clientId>', 400],
  ['single quotes', "{'clientId':'demo'}", 400],
  ['keys without quotes', '{clientId:"demo"}', 400],
  ['a comment', `/* */${good}`, 400],
  ['a trailing comma', `${good.slice(0, -1)},}`, 400],
  ['half a body', good.slice(0, 40), 400],
  ['NaN', withCode('NaN'), 400],
  ['a line break in a string', withCode('"A\nB"'), 400],
  ['an incomplete escape', withCode('"\\u12"'), 400],
  ['8,000 open lists', '['.repeat(8000), 400],
  ['3,000 open objects', '{"a":'.repeat(3000), 400],
  // JSON, but not an object
  ['8,000 nested lists', '['.repeat(8000) + ']'.repeat(8000), 400],
  // Objects with other types
  ['an object in place of a string', withCode('{"$gt":""}'), 400],
  ['a boolean in place of a string', withCode('true'), 400],
  ['a huge number', withCode('1e999'), 400],
  ['a number of a thousand digits', withCode('9'.repeat(1000)), 400],
  // Strings at their limits
  ['one family of seven code points', withValues({ promoCode: '👨‍👩‍👧‍👦' }), 200],
  ['two families of fourteen', withValues({ promoCode: '👨‍👩‍👧‍👦👨‍👩‍👧‍👦' }), 400],
  ['a code within spaces', withValues({ promoCode: '     CODE     ' }), 200],
  ['a code within no-break spaces', withValues({ promoCode: '\u00a0CODE\u00a0' }), 200],
  ['right-to-left text', withValues({ promoCode: 'שלום' }), 200],
  ['a right-to-left override', withValues({ promoCode: '\u202eEDOC' }), 200],
  ['a lone low surrogate', withCode('"A\\udf81"'), 400],
  ['surrogates in the wrong order', withCode('"\\udf81\\ud83c"'), 400],
  ['an escaped emoji', withCode('"\\ud83c\\udf81"'), 200],
  ['an escaped NUL', withCode('"A\\u0000B"'), 400],
  ['a control character', withCode('"A\\u001bB"'), 400],
  ['an escaped line break', withCode('"A\\nB"'), 400],
  ['a code that is an expression', withValues({ promoCode: ':a OR 1=1' }), 200],
  ['a code that is a path', withValues({ promoCode: '../../x' }), 200],
  ['a code that looks like a key', withValues({ promoCode: '#applied' }), 200],
  // Keys
  ['an escaped __proto__', and('"\\u005f_proto__":{}'), 400],
  ['toString', and('"toString":1'), 200],
  ['hasOwnProperty', and('"hasOwnProperty":1'), 200],
  ['an empty key', and('"":1'), 200],
  ['a duplicate key: the last one counts', and('"promoCode":"12345678901"'), 400],
  [
    'a duplicate key that corrects the first',
    and('"promoCode":"SECOND"').replace('WELCOME10', ''),
    200,
  ],
  ['keys in upper case', good.toUpperCase(), 400],
  [
    'a thousand additional keys',
    and(Array.from({ length: 1000 }, (_, key) => `"k${key}":0`).join()),
    200,
  ],
  ['an unknown key with deep nesting', and(`"a":${'['.repeat(7000)}${']'.repeat(7000)}`), 200],
  // Size
  ['16 KB', good.padEnd(16 * 1024), 200],
  ['17 KB', good.padEnd(17 * 1024), 413],
  ['1 MB', Buffer.alloc(1024 * 1024, 0x5b), 413],
];

test.each(BODIES)('%s', async (_, body, status) => {
  const answer = await service.applyPromoCode({ body });
  expect(answer.status).toBe(status);
  const code = { 200: undefined, 400: 'ValidationException', 413: 'PayloadTooLargeException' }[
    status
  ];
  expect(answer.body.data.code).toBe(code);
});

test('only the accepted requests are stored', async () => {
  const taken = BODIES.filter(([, , status]) => status === 200).map(([, body]) =>
    JSON.parse(body.toString()).promoCode.trim().normalize('NFC'),
  );
  const kept = (await service.promoEvents()).map(({ promoCode }) => promoCode);
  expect([...new Set(kept)].sort()).toEqual([...new Set(taken)].sort());
});

import { printable } from 'customer-data-api-deployment/program';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { promoEventsToCsv } from '../../../promo-events/promo-events-csv.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'x9"\',;|:\t\r\n\u0085\u2028 =+-@＝＋－＠﹦−') }),
);
/** Separators of cells in spreadsheets, in one country or another, or if they are told to. */
const SEPARATORS = [',', ';', '\t', '|', ':', ' ', '、', '，', '；', '،', '؛'];
/** Starts a formula, after what spreadsheets skip. */
const FORMULA = /^["\s\p{C}]*[=+\-@＝＋－＠﹦﹢﹣﹫−]/u;

test('no spreadsheet finds a formula in a CSV, whatever it separates cells by', () => {
  fc.assert(
    fc.property(anyText, anyText, (promoCode, userId) => {
      const text = promoEventsToCsv([{ promoCode, userId }]).join('\n');
      for (const separator of SEPARATORS) {
        const cells = text
          .split(/[\r\n\v\f\u0085\u2028\u2029]/)
          .flatMap((line) => line.split(separator));
        expect(cells.filter((cell) => FORMULA.test(cell))).toEqual([]);
      }
    }),
  );
});

test('a CSV has the values of RFC 4180, with nothing added but apostrophes', () => {
  fc.assert(
    fc.property(anyText, (userId) => {
      const [, line = ''] = promoEventsToCsv([{ promoCode: 'CODE', userId }]);
      const [, quoted = ''] = /^,,CODE,(".*"|[^"]*),,,,$/s.exec(line) ?? [];
      const value = quoted.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"');
      expect(value.replaceAll("'", '')).toBe(printable(userId).replaceAll("'", ''));
    }),
  );
});

test.each([
  'jane+shop@example.org',
  '6f9619ff-8b86-d011-b42d-00c04fc964ff',
  'us-east-1:a_-b--c',
  'O’Neil é-x',
])('an ordinary value stays the same in a CSV: %s', (userId) => {
  expect(promoEventsToCsv([{ userId }])[1]).toBe(`,,,${userId},,,,`);
});

import { PassThrough } from 'node:stream';
import { PIZZA } from 'customer-data-api/testing/configurations';
import { runs } from 'customer-data-api/testing/runs';
import { type Output, printLine } from 'customer-data-api-deployment/program';
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { differenceLines, differencesToJson } from '../../../commands/diff.ts';
import { writeConfiguration } from '../../../configurations/configuration-file.ts';
import {
  compareLive,
  differentLines,
  type NamedConfiguration,
} from '../../../configurations/diff-configurations.ts';
import { storedOf } from '../../../configurations/stored-configuration.ts';

/* Differences of thousands of options: complete for programs, and short for people. */

const [DROP] = parse(PIZZA).fields;

type Option = { readonly value: string; readonly display: string };

const named = (name: string, options: readonly Option[]) => {
  const field = { ...DROP, subFieldA: { ...DROP.subFieldA, optionsArray: options } };
  return { name, content: { clientId: 'pizza', lastFieldId: 1, fields: [field] } };
};
const numbered = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => ({
    value: `${prefix}${index}`,
    display: `Option ${prefix}${index}`,
  }));

function between(...sides: readonly [NamedConfiguration, NamedConfiguration]) {
  const [before, after] = sides.map(({ content }) => ({ live: storedOf(content) }));
  return { effects: compareLive(before as never, after as never), lines: differentLines(...sides) };
}

function printed(differences: Parameters<typeof differenceLines>[0]): string[] {
  const stream = new PassThrough();
  const output = stream as Output;
  differenceLines(differences, output).forEach((line) => {
    printLine(output, line);
  });
  return String(stream.read()).trimEnd().split('\n');
}

test('a replaced list of 3,000 options is told in few lines, losses first, and counted in full', () => {
  const differences = between(
    named('before', numbered(3000, 'a')),
    named('after', [...numbered(3000, 'b'), { value: 'a0', display: 'Renamed' }]),
  );
  const lines = printed(differences);
  expect(lines.length).toBeLessThan(100);
  const text = lines.join('\n');
  expect(text).toContain('"Favourite pizza": … and 2,994 more options are removed.');
  expect(text).toContain('"Favourite pizza": … and 2,995 more options are added.');
  expect(text.indexOf('is now called "Renamed"')).toBeLessThan(text.indexOf('is added'));
  const { changes, lines: all } = differencesToJson(differences);
  expect(changes).toHaveLength(2999 + 3000 + 1);
  expect(all.length).toBeGreaterThan(4 * 2999);
});

test('what customers lose comes first, whatever their texts say', () => {
  const fields = (fieldName: string, mandatory: boolean) =>
    Array.from({ length: 40 }, (_, index) => ({
      ...DROP,
      id: `${index}`,
      fieldName: index === 39 ? fieldName : `No longer needed ${index}`,
      mandatory,
    }));
  const [before, after] = [fields('Pizza', false), fields('Pasta', true)].map((list) => ({
    name: 'pizza',
    content: { clientId: 'pizza', lastFieldId: 40, fields: list },
  }));
  const effects = printed(between(before as never, after as never)).filter((line) =>
    line.startsWith('"'),
  );
  expect(effects[0]).toBe('"Pizza" is now called "Pasta".');
});

test('a patch makes the one configuration of the other, however much differs', () => {
  const option = fc.nat(400).map((index) => ({ value: `${index}`, display: `Option ${index}` }));
  const options = fc.array(option, { minLength: 1, maxLength: 300, size: 'max' });
  fc.assert(
    fc.property(options, options, (one, other) => {
      const [before, after] = [named('before', one), named('after', other)];
      const { lines } = differencesToJson(between(before, after));
      const [old, fresh] = [before, after].map(({ content }) => writeConfiguration(content));
      expect(lines.length === 0 ? old : applyPatch(old ?? '', lines.join('\n'))).toBe(fresh);
    }),
    { numRuns: runs(15) },
  );
});

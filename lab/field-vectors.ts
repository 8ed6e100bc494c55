import { isDeepStrictEqual } from 'node:util';
import {
  answersToStore,
  fieldsFor,
  normalizedAnswer,
  type SubField,
} from '../packages/sdk/src/index.ts';
import vectors from '../packages/sdk/test-vectors/fields.json' with { type: 'json' };

/** The output of a program in another language about the test vectors. */
interface Seen {
  readonly shown: object;
  readonly problems: readonly object[];
  /** Each answer as it is submitted; undefined if the program leaves that to the app. */
  readonly stored?: readonly object[];
  /** The characters of three planes that a text loses. */
  readonly lost: readonly number[];
  /** The length of a text with many spaces: a pattern that starts anew at each takes minutes. */
  readonly spaces: number;
}

const configuration = vectors.configuration as unknown as Parameters<typeof fieldsFor>[0];
const FIELDS = (['register', 'profile'] as const).flatMap((ui) => fieldsFor(configuration, ui));

/** Returns how what a program shows of fields differs from the app SDK. */
export function fieldDifferences({ shown, problems, stored, lost, spaces }: Seen): string[] {
  const isLost = (code: number) =>
    normalizedAnswer({ subType: 'text' } as SubField, `a${String.fromCodePoint(code)}b`) === 'ab';
  const codes = [0, 1, 14].flatMap((plane) =>
    Array.from({ length: 0x10000 }, (_, code) => plane * 0x10000 + code),
  );
  return [
    { why: 'what is shown', expected: vectors.shown, found: shown },
    { why: 'the characters that are lost', expected: codes.filter(isLost), found: lost },
    { why: 'the length of many spaces', expected: 200_002, found: spaces },
    ...vectors.answers.map(({ problems: expected, ...answer }, index) => ({
      why: JSON.stringify(answer),
      expected,
      found: problems[index],
    })),
    ...vectors.answers.flatMap(({ field, instances }, index) => {
      const shownField = FIELDS.find(({ id }) => id === field);
      if (!stored || !shownField) return [];
      const expected = answersToStore(shownField, instances);
      return { why: `what is submitted of ${field}`, expected, found: stored[index] };
    }),
  ].flatMap(({ why, expected, found }) =>
    isDeepStrictEqual(found, expected)
      ? []
      : [`${why}:\n  ${JSON.stringify(expected)}\n  ${JSON.stringify(found)}`],
  );
}

import { expect, test } from 'vitest';
import { closestName } from '../../../core/closest-name.ts';

test.each<[name: string, wrong: number, found: string | undefined]>([
  ['placeholder', 1 / 2, 'placeHolderText'],
  ['placeholdr', 1 / 2, undefined],
  ['maxs', 1 / 2, undefined],
  ['maxsChrs', 1 / 2, 'maxChars'],
  ['maxsChrs', 1 / 5, undefined],
  ['max_chars', 0, 'maxChars'],
])(
  '%s may have four wrong characters at most, and no larger part of wrong ones than %d',
  (name, wrong, found) => {
    expect(closestName(name, ['alpha', 'placeHolderText', 'maxChars'], wrong)).toBe(found);
  },
);

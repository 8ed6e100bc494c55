import fc from 'fast-check';
import { expect, test } from 'vitest';
import { identityWithoutCase } from '../../../../core/promo-events/code-identity.ts';
import { ANY_CHARACTER } from '../../../support/any-character.ts';

const letter = fc.constantFrom(...'azAZ09ßıİﬁéǆſ');
const code = fc
  .array(fc.oneof(letter, ANY_CHARACTER), { minLength: 1, maxLength: 10 })
  .map((all) => all.join(''));

test('the identity of a code differs from it in ASCII letters only, and is its own identity', () => {
  fc.assert(
    fc.property(code, (typed) => {
      const identity = identityWithoutCase(typed);
      expect(identityWithoutCase(identity)).toBe(identity);
      expect(identity).toHaveLength(typed.length);
      for (const [index, unit] of [...identity.split('').entries()]) {
        const was = typed[index] ?? '';
        const isSmall = was >= 'a' && was <= 'z';
        expect(unit).toBe(isSmall ? String.fromCharCode(was.charCodeAt(0) - 32) : was);
      }
    }),
  );
});

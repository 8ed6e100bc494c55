import fc from 'fast-check';

/** Halves of surrogate pairs, which are no characters. */
const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, as a unit of strings. `unit: 'binary'` makes the same ones, but
 * fast-check then tabulates all of them first, which takes most of a second.
 */
export const ANY_CHARACTER = fc.nat(0x10ffff - SURROGATES.count).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  // Lets fast-check use the names that it knows to be troublesome, such as __proto__.
  (text) => {
    const [character, ...others] = typeof text === 'string' ? text : [];
    const code = character?.codePointAt(0);
    if (code === undefined || others.length > 0) throw new Error('This is not one character.');
    return code < SURROGATES.first ? code : code - SURROGATES.count;
  },
);

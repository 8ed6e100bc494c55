import { INVISIBLE, parsedOnUse } from './text.ts';

/* Characters that nobody types. Programs leave them in a text. */

/** Invisible characters that keyboards write as a part of a letter or an emoji, such as joiners. */
const PARTS = '\\p{Join_Control}\\p{Variation_Selector}\\p{Emoji_Component}';
const UNSEEN = `(?![${PARTS}])[\\p{Cc}\\p{Zl}\\p{Zp}${INVISIBLE}]`;
/** Scripts without spaces: people type U+200B between words. */
const LETTER = '[\\p{sc=Khmr}\\p{sc=Laoo}\\p{sc=Mymr}\\p{sc=Thai}]';
const WORD_BREAK = `(?<=${LETTER})\\u200b(?=${LETTER})`;
/** The blocks that Unicode reserves for scripts that are written from right to left. */
const RIGHT_TO_LEFT =
  '(?=\\p{L})[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]';
/** Matches texts that only look alike, too: the warning changes nothing. */
const STRAY = [
  `(?!${WORD_BREAK})${UNSEEN}`,
  // Bytes that are not UTF-8, and UTF-8 that was read as Latin-1.
  '\\ufffd|[ÂÃ][\\u0080-\\u00bf]',
  // Entities and tags of HTML. `<none>` is a text.
  '&(?:[A-Za-z]\\w*|#\\d+|#[Xx][\\dA-Fa-f]+);',
  '</[A-Za-z]\\w*\\s*>|<[A-Za-z]\\w*\\s[^<>]*=|<[Bb][Rr]\\s*/?>',
].join('|');
const stray = parsedOnUse(STRAY, 'u');
/** Keyboards of these scripts have the marks of direction. */
const strayRightToLeft = parsedOnUse(`(?![\\u061c\\u200e\\u200f])(?:${STRAY})`, 'u');
const rightToLeft = parsedOnUse(RIGHT_TO_LEFT, 'u');
const unseen = parsedOnUse(UNSEEN, 'gu');
const blank = parsedOnUse(`^[\\p{Cc}\\p{Z}${INVISIBLE}]*$`, 'u');

/** The characters of a text that are shown on both sides of a place. */
const CONTEXT = 20;

/**
 * Finds characters that nobody types.
 *
 * @returns the part of the text with the first of them, in quotes; undefined if there are none.
 */
export function strayCharacterIn(text: string): string | undefined {
  const found = (rightToLeft().test(text) ? strayRightToLeft() : stray()).exec(text);
  if (!found) return undefined;
  const from = Math.max(0, found.index - CONTEXT);
  const to = found.index + CONTEXT;
  // No half of a character.
  const part = text.slice(from, to).replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${from > 0 ? '…' : ''}"${escapeInvisible(part)}"${to < text.length ? '…' : ''}`;
}

/** Writes characters that nobody sees as `\\u200b`. Spaces stay. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(unseen(), (found) =>
    found.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** True if nobody sees anything of a text. */
export function isBlank(text: string): boolean {
  return blank().test(text);
}

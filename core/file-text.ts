/*
 * The text of a file that people keep: as their editor or spreadsheet encodes it, and as git leaves
 * it after a conflict.
 */

/** Decodes a file: UTF-8, or UTF-16 if its byte order mark says so. The mark stays. */
export function fileText(bytes: Uint8Array): string {
  const mark = `${bytes[0]} ${bytes[1]}`;
  const encoding = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

/** A line that git writes around the sides of a conflict. */
export interface ConflictMarker {
  readonly offset: number;
  /** Counts from 1. */
  readonly line: number;
  /** What the line begins with. */
  readonly sign: string;
  /** What is wrong with the line, in words that follow its name. */
  readonly message: string;
}

/**
 * Its first characters, more of them in a conflict inside another one. A spreadsheet may have put
 * quotes or separators around it.
 */
const MARKER = /(?<=^\ufeff?"?)(?:<{7,}|\|{7,}|>{7,})(?=[\s",;]|$)|^={7,}(?=[ \t]*$)/gm;

/**
 * Finds the first conflict marker of git in a text.
 *
 * @param isText tells whether a line `=======` at an offset is a text, as it may be in a list of
 *   texts. No other marker is.
 */
export function conflictMarkerIn(
  text: string,
  isText: (offset: number) => boolean = () => false,
): ConflictMarker | undefined {
  for (const { index: offset, 0: sign } of text.matchAll(MARKER)) {
    if (sign.startsWith('=') && isText(offset)) continue;
    const line = text.slice(0, offset).split(/\r\n?|\n/).length;
    const message = `is a conflict marker of git (${sign}); resolve the conflict, and delete this line`;
    return { offset, line, sign, message };
  }
  return undefined;
}

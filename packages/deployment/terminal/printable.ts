/*
 * Characters that a terminal or an editor interprets: control characters, line separators, and
 * those that change the direction of text or its encoding.
 * https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
 */
const IN_LINES =
  '\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\ufffe\\uffff';
const INTERPRETED_IN_LINES = new RegExp(`[${IN_LINES}]`, 'g');
const INTERPRETED = new RegExp(`[\\n${IN_LINES}]`, 'g');

/** Escapes what a terminal interprets, as in `\\u001b`. `JSON.stringify`'s JSON keeps its value. */
export function printable(text: string): string {
  return text.replace(INTERPRETED, escaped);
}

/** Escapes each line of a text, as `printable` does. */
export function printableLines(text: string): string {
  return text.replace(INTERPRETED_IN_LINES, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

import { ATTRIBUTES, MAX_ITEM_LEVELS, shortened } from 'customer-data-api/configuration';
import { conflictMarkerIn } from 'customer-data-api/file-text';
import { type Document, visit, type YAMLError } from 'yaml';

/** What prevents a file from being read as YAML. */
interface SyntaxError {
  readonly code: 'syntax' | 'duplicateAttribute' | 'wrongEncoding';
  /** What is wrong and what would be right. */
  readonly message: string;
  readonly offset: number;
}

/**
 * The errors of a document from top to bottom, with their offsets in the text. Nothing is said
 * about what follows an error after which the parser may have lost its place.
 */
export function syntaxErrors(document: Document.Parsed, text: string): SyntaxError[] {
  const unread = text.search(/[\ufffd\0]/);
  if (unread !== -1) {
    const message =
      'This character could not be read. Save the file as UTF-8, and write the text again';
    return [{ code: 'wrongEncoding', message, offset: unread }];
  }
  const texts: Range[] = [];
  const flows: Range[] = [];
  visit(document, {
    Scalar: (_, { range, type }) => void (type !== 'PLAIN' && range && texts.push(range)),
    Collection: (_, { range, flow }) => void (flow && range && flows.push(range)),
  });
  const isText = (at: number) => texts.some(([start, end]) => start < at && at < end);
  const marker = conflictMarkerIn(text, isText);
  if (marker) {
    return [{ code: 'syntax', message: `This line ${marker.message}`, offset: marker.offset }];
  }
  // Warnings are about texts that the parser did not read as they are.
  const errors = [...document.errors, ...document.warnings].toSorted(
    ({ pos: [one] }, { pos: [other] }) => one - other,
  );
  const lookAlike = lookAlikeIn(text, texts, errors[0]?.pos[0]);
  if (lookAlike) return [lookAlike];
  const last = errors.findIndex(({ code }) => code !== 'DUPLICATE_KEY');
  const first = last === -1 ? errors : errors.slice(0, last + 1);
  return first.map((error) => described(error, text, [...flows, ...texts]));
}

export const TOO_DEEP = `Lists and maps contain each other in more than ${MAX_ITEM_LEVELS} levels, which DynamoDB does not store`;

/** What the parser would say in terms of YAML. */
const WORDED: Partial<Record<YAMLError['code'], string>> = {
  MULTIPLE_DOCS: 'A file has one configuration',
  NON_STRING_KEY: 'A name must be a text',
  RESOURCE_EXHAUSTION: TOO_DEEP,
};

/** The place of a text in quotes or in a block, or of what is in brackets. */
type Range = readonly [start: number, end: number, ...unknown[]];

/** Words an error of the parser: in its words, with the line, because others would mislead. */
function described(
  { code, message, pos }: YAMLError,
  text: string,
  parts: readonly Range[],
): SyntaxError {
  const [at] = pos;
  // The parser notices lines later that a quote or bracket is missing.
  const read = text.slice(0, at).trimEnd();
  const lineStart = text.lastIndexOf('\n', at - 1);
  const isOpen = (start: number, end: number) =>
    /["']/.test(text[start] ?? '')
      ? at === text.length || !text.slice(end, at).includes('\n')
      : /\{[^}]|\[[^\]]/.test(`${text[start]}${text[end - 1]}`);
  const open = parts.find(
    ([start, end]) => start <= lineStart && end >= read.length && start < at && isOpen(start, end),
  );
  const blank = /^(?:[^\S\n]*(?:#.*)?\n)+ */.exec(text.slice(at))?.[0].length ?? 0;
  const offset = open?.[0] ?? Math.min(at + blank, text.trimEnd().length);
  const line = lineAt(text, offset).trim();
  const empty = line.startsWith('- ') ? emptyListBefore(text, offset) : undefined;
  if (empty) {
    const message = `The list goes on below. Delete its brackets: \`${shortened(empty.line, 80)}\``;
    return { code: 'syntax', message, offset: empty.offset };
  }
  const value = line.replace(/^(?:- +)*(?:[\w"']+:\s+)?/, '');
  const isInQuotes = /^(?:"[^"]*"|'[^']*'|\[[^\]#]*\]|\{[^}#]*\}),?$/.test(value);
  const mayBeText = /^(?:[@`%&*!|>?"'[\]{},]|- )|: | #/.test(value) && !isInQuotes;
  const hint = mayBeText ? '. If it is a text, put it in quotes' : '';
  return {
    code: code === 'DUPLICATE_KEY' ? 'duplicateAttribute' : 'syntax',
    message: `${WORDED[code] ?? message}: \`${shortened(line, 80)}\`${hint}`,
    offset,
  };
}

/** Returns the line before, without comments, if it ends with an empty list, and its brackets. */
function emptyListBefore(text: string, offset: number) {
  const before = text.slice(0, offset).replace(/(?:\s+(?:#.*)?)*$/, '');
  const line = before.slice(before.lastIndexOf('\n') + 1).trim();
  return /: +\[ *\]$/.test(line) ? { line, offset: before.lastIndexOf('[') } : undefined;
}

function lineAt(text: string, offset: number): string {
  return /^.*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}

const COLONS = '[:\\u02d0\\u02f8\\u0589\\u05c3\\u205a\\u2236\\ua789\\ufe13\\ufe55\\uff1a]';
const START = '^ *(?:- +)*';
const KEY = `(?:${START}|\\{(?:[^}]*,)? *)["']?\\w+["']?`;
/** What only looks like a character that YAML expects there. */
const LOOK_ALIKES = Object.entries({
  'a space (U+0020), or delete it': `[\\u00a0\\u00ad\\u1680\\u180e\\u2000-\\u200f\\u202f\\u205f\\u2060\\u3000\\ufeff](?<=(?:^ *|${START}-|${KEY}:).)`,
  '- (U+002D)': '[\\u2010-\\u2015\\u2022\\u2043\\u2212\\ufe58\\ufe63\\uff0d](?<=^ *.)(?=\\s)',
  ': (U+003A)': `(?!:)${COLONS}(?<=${KEY} *.)`,
  'a line feed (U+000A)': '\\r(?!\\n)',
  '" (U+0022)': `[\\u00ab\\u00bb\\u2018-\\u201f\\u2032\\u2033\\u301d-\\u301f\\uff02\\uff07](?<=(?:${START}|[{,[] *)(?:\\w+: +)?.)`,
}).map(([expected, found]) => [expected, new RegExp(found, 'gm')] as const);
const NAMES: readonly string[] = ['base', ...Object.values(ATTRIBUTES).flat()];

/** Finds such a character beside an error or, unless it is a quote, in a line with an attribute. */
function lookAlikeIn(text: string, texts: readonly Range[], error = -1): SyntaxError | undefined {
  for (const [expected, pattern] of LOOK_ALIKES) {
    for (const { index: offset, 0: found } of text.matchAll(pattern)) {
      if (texts.some(([start, end]) => start < offset && offset < end)) continue;
      // The byte order mark, which begins the files of some editors.
      if (offset === 0 && found === '\ufeff') continue;
      const [start, end] = [Math.min(offset, error), Math.max(offset, error)];
      const isQuote = expected.startsWith('"');
      const distance = error === -1 ? 2 : text.slice(start, end).split('\n').length - 1;
      const [, name = ''] = new RegExp(`^\\W*(\\w+)\\W*${COLONS}`).exec(lineAt(text, offset)) ?? [];
      if (isQuote ? distance > 0 : distance > 1 && !NAMES.includes(name)) continue;
      const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      return { code: 'syntax', message: `Replace U+${code} with ${expected}`, offset };
    }
  }
  return undefined;
}

import type { Document, ErrorCode, YAMLError } from 'yaml';
import { withoutCurlyQuotes } from '../../../core/text.ts';

/** What prevents a file from being read as YAML. */
interface SyntaxError {
  readonly code: 'syntax' | 'duplicateAttribute' | 'wrongEncoding';
  /** What is wrong and what would be right. */
  readonly message: string;
  readonly offset: number;
}

/** What to tell operators where the words of the parser would mislead them. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'Put this text in quotes: it contains `: `',
  MULTILINE_IMPLICIT_KEY: 'Write `name: value` here',
  MULTIPLE_DOCS: 'A file has one configuration. Delete this line and what follows',
};

/**
 * The errors of a document from top to bottom, with their offsets in the text. Nothing is said
 * about what follows an error after which the parser may have lost its place.
 */
export function syntaxErrors(document: Document.Parsed, text: string): SyntaxError[] {
  const unread = text.indexOf('\ufffd');
  if (unread !== -1) {
    const message =
      'This character could not be read. Save the file as UTF-8, and write the text again';
    return [{ code: 'wrongEncoding', message, offset: unread }];
  }
  // Editors and web pages write them into the indentation.
  const blank = text.search(/(?<=^ *)[\u00a0\u2000-\u200b\u202f\u3000]/mu);
  if (blank !== -1) {
    return [syntax('Replace this invisible character with a space', blank)];
  }
  // Warnings are about texts that the parser did not read as they are.
  const all = [...document.errors, ...document.warnings].map((error) => described(error, text));
  const sorted = all.toSorted((one, other) => one.offset - other.offset);
  const last = sorted.findIndex(({ code }) => code === 'syntax');
  return last === -1 ? sorted : sorted.slice(0, last + 1);
}

function described({ code, message, pos: [offset] }: YAMLError, text: string): SyntaxError {
  if (code === 'DUPLICATE_KEY') {
    const [name = ''] = /^[^:]*/.exec(text.slice(offset)) ?? [];
    const twice = `${name.trim()} is here twice. Delete one, or begin a new field or option with -`;
    return { code: 'duplicateAttribute', message: twice, offset };
  }
  const rest = text.slice(offset);
  const item = /(?:\s|#.*$)*- /my.exec(rest)?.[0];
  if (item !== undefined && code.endsWith('_IMPLICIT_KEY')) {
    const indent = /^fields: *\[\]/m.test(text)
      ? 'Delete `[]` after `fields:`, because fields follow'
      : 'Indent this line like the other items of its list';
    return syntax(indent, offset + item.length - 2);
  }
  const hash = text.lastIndexOf(' #', offset);
  if (message.startsWith('Flow ') && /^ #.*\s*$/.test(text.slice(hash, offset))) {
    const [before = ''] = /[^,:{[]*$/.exec(text.slice(0, hash)) ?? [];
    const [after = ''] = /^[^,}\]\n]*/.exec(text.slice(hash)) ?? [];
    const whole = JSON.stringify(withoutCurlyQuotes(`${before}${after}`.trim()));
    const cut = `The rest of this line is a comment because of \` #\`. Put the text in quotes: ${whole}`;
    return syntax(cut, hash + 1);
  }
  const [, quote] = /^Missing closing (['"])quote/.exec(message) ?? [];
  if (quote !== undefined) {
    // The parser has noticed it at the end of the file.
    const start = text.search(new RegExp(`(?<=[:,[{-] *)${quote}[^${quote}]*$`));
    const unclosed = `Write ${quote} at the end of this text, which begins with ${quote}`;
    return syntax(unclosed, start === -1 ? offset : start);
  }
  const isUnindented = code === 'BAD_INDENT' && /: [|>][-+]?\s*$/.test(text.slice(0, offset));
  if (isUnindented) return syntax('Indent this text: it belongs to the line above', offset);
  const endsWithLine = code === 'BLOCK_AS_IMPLICIT_KEY' && !/^.*:\s/.test(rest);
  return syntax(endsWithLine ? 'Indent the next line less' : (MESSAGES[code] ?? message), offset);
}

function syntax(message: string, offset: number): SyntaxError {
  return { code: 'syntax', message, offset };
}

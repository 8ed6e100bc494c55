import {
  type Document,
  type ErrorCode,
  type LineCounter,
  type Scalar,
  visit,
  type YAMLError,
} from 'yaml';

/** What prevents a file from being read as YAML. */
interface SyntaxError {
  readonly code: 'syntax' | 'duplicateAttribute' | 'wrongEncoding';
  /** What is wrong and what would be right. */
  readonly message: string;
  readonly offset: number;
}

/** What to tell operators where the words of the parser would mislead them. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  BAD_SCALAR_START: 'Put this text in quotes: its first character has a meaning in YAML',
  BLOCK_AS_IMPLICIT_KEY: 'Put this text in quotes: it contains `: `',
  MULTILINE_IMPLICIT_KEY: 'Write `name: value` here',
  MULTIPLE_DOCS: 'A file has one configuration. Delete this line and what follows',
};

/** Characters that the parser would take for a part of a text, with what to do. */
const CHARACTERS = [
  {
    pattern: /\ufffd/u,
    code: 'wrongEncoding',
    message: 'This character could not be read. Save the file as UTF-8, and write the text again',
  },
  {
    // Editors and web pages write them into the indentation.
    pattern: /(?<=^ *)[\u00a0\u2000-\u200b\u202f\u3000]/mu,
    code: 'syntax',
    message: 'Replace this invisible character with a space',
  },
] as const;

/**
 * The errors of a document from top to bottom, with their offsets in the text. Nothing is said
 * about what follows an error after which the parser may have lost its place.
 */
export function syntaxErrors(
  document: Document.Parsed,
  text: string,
  lines: LineCounter,
): SyntaxError[] {
  for (const { pattern, code, message } of CHARACTERS) {
    const offset = text.search(pattern);
    if (offset !== -1) return [{ code, message, offset }];
  }
  // Warnings are about texts that the parser did not read as they are.
  const all = [...document.errors, ...document.warnings].map((error): SyntaxError => {
    const code = error.code === 'DUPLICATE_KEY' ? 'duplicateAttribute' : 'syntax';
    return { ...described(error, document, text, lines), code };
  });
  const sorted = all.toSorted((one, other) => one.offset - other.offset);
  const last = sorted.findIndex(({ code }) => code === 'syntax');
  return last === -1 ? sorted : sorted.slice(0, last + 1);
}

function described(
  { code, message, pos: [offset] }: YAMLError,
  document: Document,
  text: string,
  lines: LineCounter,
) {
  if (code === 'DUPLICATE_KEY') {
    const first = firstOf(document, offset);
    const places = [first?.range?.[0] ?? offset, offset].map((one) => lines.linePos(one).line);
    const message = `${first?.value ?? 'This'} is here twice, in lines ${places.join(' and ')}. Delete one, or begin a new field or option with -`;
    return { offset, message };
  }
  const hash = text.lastIndexOf(' #', offset);
  if (message.startsWith('Flow ') && /^ #.*\s*$/.test(text.slice(hash, offset))) {
    const [before = ''] = /[^,:{[]*$/.exec(text.slice(0, hash)) ?? [];
    const [after = ''] = /^[^,}\]\n]*/.exec(text.slice(hash)) ?? [];
    const whole = JSON.stringify(`${before}${after}`.trim());
    const message = `The rest of this line is a comment because of \` #\`. Put the text in quotes: ${whole}`;
    return { offset: hash + 1, message };
  }
  if (code === 'BAD_INDENT' && /: [|>][-+]?\s*$/.test(text.slice(0, offset))) {
    return { offset, message: 'Indent this text: it belongs to the line above' };
  }
  const [, quote] = /^Missing closing (['"])quote/.exec(message) ?? [];
  if (quote === undefined) return { offset, message: MESSAGES[code] ?? message };
  // The parser has noticed it at the next quote, or at the end of the file.
  return {
    offset: startOfTextBefore(document, offset) ?? offset,
    message: `Write ${quote} at the end of this text, which begins with ${quote}`,
  };
}

/** Where the last text begins that begins before an offset. */
function startOfTextBefore(document: Document, end: number): number | undefined {
  let start: number | undefined;
  visit(document, {
    Scalar: (_, { range }) => {
      if (range && range[0] < end) [start] = range;
    },
  });
  return start;
}

/** Finds the first attribute with the name of the one at an offset, in the same map. */
function firstOf(document: Document, offset: number): Scalar | undefined {
  let first: Scalar | undefined;
  visit(document, {
    Map: (_, { items }) => {
      const keys = items.map(({ key }) => key as Scalar);
      const second = keys.find(({ range }) => range?.[0] === offset);
      first ??= second && keys.find(({ value }) => value === second.value);
    },
  });
  return first;
}

import { type Document, type ErrorCode, visit, type YAMLError } from 'yaml';

/** A place in a file. Both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What prevents a file, or a field in it, from being read as YAML. */
export interface SyntaxProblem extends Position {
  readonly code: 'syntax' | 'duplicateAttribute';
  /** What is wrong and what would be right. */
  readonly message: string;
}

/** An error of the parser: its place as an offset, and what to tell the operator. */
export interface SyntaxError {
  readonly offset: number;
  readonly code: SyntaxProblem['code'];
  readonly message: string;
  /** Whether the rest of the file is read as it is meant. */
  readonly isHarmless: boolean;
}

/** What would be right, for each kind of error. */
const REMEDIES: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'put a text that begins with * in quotes',
  BAD_ALIAS: 'put a text that begins with & or * in quotes',
  BAD_COLLECTION_TYPE: 'put a text that begins with ! in quotes',
  BAD_DIRECTIVE: 'remove the line that begins with %',
  BAD_DQ_ESCAPE: 'write \\\\ for a backslash in double quotes, or use single quotes',
  BAD_INDENT: 'indent it like what is beside it',
  BAD_PROP_ORDER: 'put a text that begins with & or ! in quotes',
  BAD_SCALAR_START: 'put the text in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'put a text that contains a colon and a space in quotes, or indent the attribute like those beside it',
  BLOCK_IN_FLOW: 'write a comma between two attributes, and ] or } at the end',
  DUPLICATE_KEY:
    'keep one of the attributes with this name, or write - before the first attribute of a new field or option',
  IMPOSSIBLE: 'put the text in quotes',
  KEY_OVER_1024_CHARS: 'write a colon and a space after the name of the attribute',
  MISSING_CHAR: 'write it there, or put a text in quotes',
  MULTILINE_IMPLICIT_KEY: 'write a colon and a space after the name of the attribute',
  MULTIPLE_ANCHORS: 'put a text that begins with & in quotes',
  MULTIPLE_DOCS: 'remove this line and what follows, or put it into a file of its own',
  MULTIPLE_TAGS: 'put a text that begins with ! in quotes',
  NON_STRING_KEY: 'write the name of an attribute',
  RESOURCE_EXHAUSTION: 'write fewer lists and maps inside each other',
  TAB_AS_INDENT: 'indent with spaces',
  TAG_RESOLVE_FAILED: 'put a text that begins with ! in quotes',
  UNEXPECTED_TOKEN: 'remove it, or put the whole text in quotes',
};

/** Messages that the parser has for programmers. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  MULTIPLE_DOCS: 'A file has one configuration, and --- begins another one',
};

const HARMLESS: readonly ErrorCode[] = ['BAD_DQ_ESCAPE', 'DUPLICATE_KEY', 'TAG_RESOLVE_FAILED'];

/** The errors of a document and the warnings, which are about texts that the parser did not read as they are, from top to bottom. */
export function syntaxErrors(document: Document.Parsed): SyntaxError[] {
  return [...document.errors, ...document.warnings]
    .map((error) => describe(error, document))
    .toSorted((one, other) => one.offset - other.offset);
}

function describe({ code: kind, message, pos: [end] }: YAMLError, document: Document): SyntaxError {
  const isHarmless = HARMLESS.includes(kind);
  const code = kind === 'DUPLICATE_KEY' ? 'duplicateAttribute' : 'syntax';
  const [, quote] = /^Missing closing (['"])quote/.exec(message) ?? [];
  if (quote !== undefined) {
    // The parser has noticed it at the next quote, or at the end of the file.
    const offset = startOfTextBefore(document, end) ?? end;
    const text = `Text that begins with ${quote} has no closing ${quote}; write it at the end of the text`;
    return { offset, code, message: text, isHarmless };
  }
  const isUnclosed = kind === 'BAD_INDENT' && /^Flow/.test(message);
  const remedy = isUnclosed ? 'write ] or } at its end' : REMEDIES[kind];
  return { offset: end, code, message: `${MESSAGES[kind] ?? message}; ${remedy}`, isHarmless };
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

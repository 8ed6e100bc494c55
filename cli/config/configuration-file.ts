import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';
import {
  type Alias,
  Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type ScalarTag,
  type Tags,
  visit,
} from 'yaml';
import { printableLines } from '../../core/text.ts';
import { fieldAtLine } from './field-at-line.ts';
import { type Position, type SyntaxProblem, syntaxErrors } from './syntax-problems.ts';

/** A configuration as operators edit it: YAML with `clientId`, `base`, `lastFieldId` and `fields`. */
export interface ConfigurationFile {
  /** The content as plain JavaScript. */
  readonly content: unknown;
  /** Finds an attribute, or, if it is missing, the map or list in which it is missing. */
  readonly positionOf: (path: readonly (string | number)[]) => Position;
}

/** Decimal numbers: one that JavaScript cannot hold exactly keeps its digits. */
const exactNumbers: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof NumberValue,
  test: /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/,
  resolve: (text) => {
    const number = Number(text);
    const digits = text.replace(/e.*/i, '').replaceAll(/\D|^[-+0.]+/g, '');
    const isExact = digits.length <= 15 || Number.isSafeInteger(number);
    return isExact && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : new NumberValue(text);
  },
  stringify: ({ value }) => String(value),
};
/** The tags with which a configuration is parsed and written. */
export const customTags = (tags: Tags) => [exactNumbers, ...tags];

const SCHEMA = fileURLToPath(new URL('../../examples/configuration.schema.json', import.meta.url));

/** After so many problems of its syntax, the rest of a file is not read. */
const MAX_PROBLEMS = 20;

/** What could be read of a file. */
export interface ParsedFile {
  /** From top to bottom. If there is none, the whole file was read. */
  readonly problems: readonly SyntaxProblem[];
  /** The file, with null for each field whose syntax is wrong. Undefined if the rest cannot be told apart from what is wrong. */
  readonly file: ConfigurationFile | undefined;
  /** The indexes of the fields about which nothing else can be said. */
  readonly unread: readonly number[];
}

/** Parses a configuration file. A field whose syntax is wrong does not hide what is wrong with the others. */
export function parseConfigurationFile(text: string): ParsedFile {
  const problems: SyntaxProblem[] = [];
  const unread = new Set<number>();
  let readable = text;
  while (problems.length < MAX_PROBLEMS) {
    const { problem, notes, file } = parse(readable);
    if (!problem) {
      // Which of two values is meant decides what else is wrong with a field.
      const doubtful = notes.flatMap(({ line }) => fieldAtLine(readable, line)?.index ?? []);
      const read = { file, unread: [...unread, ...doubtful] };
      return { problems: [...problems, ...notes].sort(byLine), ...read };
    }
    const field = fieldAtLine(readable, problem.line);
    // Nothing is left of that field, so what was reported for it comes from the one above: an unclosed brace in its last line.
    if (field && unread.has(field.index)) break;
    // What is repeated may be in a field that was left out.
    const { alias, ...shown } = problem;
    const anchors = (of: string) => anchorsAbove(of, problem.line, alias);
    if (alias === undefined || anchors(text) === anchors(readable)) problems.push(shown);
    if (!field) break;
    unread.add(field.index);
    readable = field.without;
  }
  return { problems: problems.sort(byLine), file: undefined, unread: [] };
}

/** How often a text may give a value the name of an alias, until the end of the line with the alias. */
function anchorsAbove(text: string, line: number, alias: string | undefined): number {
  const above = text.split('\n', line).join('\n');
  return [...above.matchAll(/&([^\s,[\]{}]+)/g)].filter(([, name]) => name === alias).length;
}

function byLine(one: Position, other: Position): number {
  return one.line - other.line;
}

/** Parses a text until the first problem after which nothing can be relied on. */
function parse(text: string): {
  readonly problem?: SyntaxProblem & { readonly alias?: string };
  /** Problems that leave the rest as it is. */
  readonly notes: readonly SyntaxProblem[];
  readonly file?: ConfigurationFile;
} {
  const lines = new LineCounter();
  const options = { lineCounter: lines, prettyErrors: false, customTags } as const;
  const document = parseDocument(text, options);
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const errors = syntaxErrors(document).map(({ offset, code, message, isHarmless }) => ({
    problem: { ...at(offset), code, message },
    isHarmless,
  }));
  const notes = errors.filter(({ isHarmless }) => isHarmless).map(({ problem }) => problem);
  const first = errors.find(({ isHarmless }) => !isHarmless);
  if (first) return { problem: first.problem, notes };
  const aliases: Alias[] = [];
  visit(document, { Alias: (_, alias) => void aliases.push(alias) });
  const atAlias = (alias: Alias | undefined) => at(alias?.range?.[0] ?? 0);
  const unresolved = aliases.find((alias) => alias.resolve(document) === undefined);
  if (unresolved) {
    const { source: alias } = unresolved;
    const message = `*${alias} repeats a value above it that has no name; write &${alias} before that value, or put *${alias} in quotes if it is a text`;
    return { problem: { ...atAlias(unresolved), code: 'syntax', message, alias }, notes };
  }
  let content: unknown;
  try {
    content = document.toJS();
  } catch (error) {
    // What the parser throws for aliases of aliases that repeat a value more than a hundred times.
    if (!(error instanceof ReferenceError)) throw error;
    const message = 'Aliases repeat a value too often; write the values out';
    return { problem: { ...atAlias(aliases[0]), code: 'syntax', message }, notes };
  }
  return { notes, file: { content, positionOf: (path) => at(offsetOf(document, path)) } };
}

function offsetOf(document: Document, path: readonly (string | number)[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
      if (!pair) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof key === 'number') {
      node = node.items[key];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

/** The attributes in the order in which people read them. Others follow. */
const ORDER = [
  ...['clientId', 'base', 'lastFieldId', 'fields'],
  ...['id', 'fieldType', 'fieldName', 'mandatory', 'appUIs', 'allowMultiple', 'addButtonText'],
  ...['subFieldA', 'subFieldB'],
  ...['subType', 'placeHolderText', 'allowCopies', 'alpha', 'numbers', 'symbols', 'maxChars'],
  ...['options', 'optionsArray', 'value', 'display'],
];

/** Writes a configuration as YAML that people read and `config check` accepts. */
export function writeConfiguration(content: unknown): string {
  return writeDocument(new Document(readable(content), { customTags }));
}

/** Writes YAML. Texts that a terminal would interpret are in double quotes, and escaped. */
export function writeDocument(document: Document): string {
  visit(document, {
    Scalar: (_, node) => {
      const { value } = node;
      if (typeof value === 'string' && printableLines(value) !== value) node.type = 'QUOTE_DOUBLE';
    },
  });
  return printableLines(document.toString({ lineWidth: 0 }));
}

/** The first line of a configuration file: it tells editors how to complete and check the rest. */
export function schemaComment(file: string): string {
  const path = relative(dirname(file), SCHEMA);
  // Without a dot, it would not be taken for a path.
  return `# yaml-language-server: $schema=${path.startsWith('.') ? path : `./${path}`}\n`;
}

/** A value in the order of its attributes for people. */
function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (!isMapOfAttributes(value)) return value;
  const rank = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1))
      .map(([name, part]) => [name, readable(part)]),
  );
}

function isMapOfAttributes(value: unknown): value is object {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && !ArrayBuffer.isView(value) && !(value instanceof NumberValue);
}

import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';
import {
  exactNumber,
  type Finding,
  MAX_ITEM_LEVELS,
  nestsDeeper,
} from 'customer-data-api/configuration';
import { printableLines } from 'customer-data-api-deployment/program';
import {
  type Alias,
  Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type ScalarTag,
  Schema,
  type Tags,
  visit,
  YAMLParseError,
} from 'yaml';
import { FILE_FINDINGS } from '../words.ts';

/** A finding, and its place in the file. Lines and columns count from 1. */
export type PlacedFinding = Finding & { readonly line: number; readonly column: number };

/**
 * A configuration as operators edit it: YAML with `clientId`, `base`, `lastFieldId`, `language` and
 * `fields`.
 */
export interface ConfigurationFile {
  /** The content as plain JavaScript. */
  readonly content: unknown;
  /** Finds an attribute, or, if it is missing, the map or list in which it is missing. */
  readonly positionOf: (path: Finding['path']) => Pick<PlacedFinding, 'line' | 'column'>;
}

/** Decimal numbers: one that JavaScript cannot hold exactly keeps its digits. */
const exactNumbers: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) =>
    value instanceof NumberValue || (typeof value === 'number' && String(value).includes('e')),
  test: /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/,
  resolve: exactNumber,
  // With the point and the sign that YAML 1.1 needs.
  stringify: ({ value }) =>
    String(value).replace(
      /^([-+]?\d+)(\.\d*)?e([-+]?)/i,
      (_, whole, rest = '.0', sign) => `${whole}${rest}e${sign || '+'}`,
    ),
};

/** Texts whose characters mean nothing in YAML: it is enough to know whether they have a type. */
const SIMPLE = /^[\p{L}\p{N}_~+](?:[\p{L}\p{N}_~+. -]*[\p{L}\p{N}_~+.-])?$/u;

/** Texts that a terminal would interpret, and `=`, are in double quotes, and escaped. */
const safeTexts = (tag: ScalarTag): ScalarTag => ({
  ...tag,
  stringify: (node, ...context) => {
    const text = String(node.value);
    const type = node.type ?? context[0].options.defaultStringType;
    // The library takes ten times as long.
    if (type === 'PLAIN' && SIMPLE.test(text)) return TYPED.test(text) ? `"${text}"` : text;
    // Readers of YAML 1.1 know a type for `=`.
    if (text === '=' || printableLines(text) !== text) node.type = 'QUOTE_DOUBLE';
    return tag.stringify?.(node, ...context) ?? '';
  },
});

/** The attributes in the order in which people read them. Others follow. */
const ORDER = [
  'clientId',
  'base',
  'lastFieldId',
  'language',
  'fields',
  'id',
  'fieldType',
  'fieldName',
  'mandatory',
  'appUIs',
  'allowMultiple',
  'addButtonText',
  'subFieldA',
  'subFieldB',
  'translations',
  'subType',
  'placeHolderText',
  'allowCopies',
  'alpha',
  'numbers',
  'symbols',
  'maxChars',
  'options',
  'optionsArray',
  'value',
  'display',
];
const RANKS = new Map(ORDER.map((name, index) => [name, index]));
const rank = (name: string) => RANKS.get(name) ?? ORDER.length;

/** Options with which a configuration is parsed and written. */
export const YAML_OPTIONS = {
  // Keys of a translation can be values of options, such as 1 and true.
  stringKeys: true,
  customTags: (tags: Tags) => [
    exactNumbers,
    ...tags.map((tag) =>
      typeof tag === 'object' && tag.tag === 'tag:yaml.org,2002:str'
        ? safeTexts(tag as ScalarTag)
        : tag,
    ),
  ],
  sortMapEntries: ({ key: one }: Pair, { key: other }: Pair) =>
    rank(String(one)) - rank(String(other)) || (String(one) < String(other) ? -1 : 1),
} as const;

/** Many readers know YAML 1.1 only, in which an unquoted `NO` is false. */
const WRITTEN = { ...YAML_OPTIONS, compat: 'yaml-1.1' } as const;

/** Matches text that readers of YAML take for another type. */
const { tags, compat } = new Schema({ ...WRITTEN, schema: 'core' });
const TYPED = new RegExp(
  [...tags, ...(compat ?? [])]
    .flatMap((tag) => ('test' in tag ? tag.test?.source : []) ?? [])
    .join('|'),
);

const SCHEMA = fileURLToPath(
  new URL('../../../examples/configuration.schema.json', import.meta.url),
);

/** Parses a configuration file. A finding is an error that prevents it, in the parser's words. */
export function parseConfigurationFile(text: string): {
  readonly findings: readonly PlacedFinding[];
  readonly file?: ConfigurationFile;
} {
  const lineCounter = lineCounterOf(text);
  const at = (offset = 0) => {
    const { line, col } = lineCounter.linePos(offset);
    return { line, column: col };
  };
  const invalid = (message: string, offset?: number) => ({
    findings: [{ severity: 'error', code: 'syntax', path: [], message, ...at(offset) } as const],
  });
  let document: Document.Parsed | undefined;
  try {
    // The library compares each name with all others of its map.
    const options = { prettyErrors: false, uniqueKeys: false, ...YAML_OPTIONS };
    document = parseDocument(text, options);
    const pairs = pairsIn(document);
    expectWholeTexts(document, text);
    // Warnings are about texts that the parser did not read as they are.
    const [error] = [...document.errors, ...document.warnings].toSorted(
      ({ pos: [one] }, { pos: [other] }) => one - other,
    );
    if (error) return invalid(error.message, error.pos[0]);
    const [first, ...aliases] = aliasesIn(document);
    if (aliases.length >= MAX_ALIASES) {
      return invalid(FILE_FINDINGS.tooManyAliases(MAX_ALIASES), first?.range?.[0]);
    }
    const content: unknown = document.toJS();
    if (nestsDeeper(content, MAX_ITEM_LEVELS + 1)) return invalid(TOO_DEEP);
    const parsed = document;
    const positionOf = (path: Finding['path']) => at(offsetOf(parsed, pairs, path));
    return { findings: [], file: { content, positionOf } };
  } catch (error) {
    // Functions that call themselves for each level had no space left.
    if (error instanceof RangeError) return invalid(TOO_DEEP);
    // An alias names nothing, or aliases of aliases repeat a value a hundred times.
    if (!(error instanceof ReferenceError && document)) throw error;
    const parsed = document;
    const aliases = aliasesIn(parsed);
    const unresolved = aliases.find((alias) => alias.resolve(parsed) === undefined);
    return invalid(error.message, (unresolved ?? aliases[0])?.range?.[0]);
  }
}

const TOO_DEEP = FILE_FINDINGS.tooDeep(MAX_ITEM_LEVELS);

/** Counts lines as editors do: the library takes a carriage return for a part of its line. */
function lineCounterOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) lines.addNewLine(index + end.length);
  return lines;
}

/** The library looks at the whole file for an alias. */
const MAX_ALIASES = 1000;

function aliasesIn(document: Document): readonly Alias[] {
  const aliases: Alias[] = [];
  visit(document, { Alias: (_, alias) => void aliases.push(alias) });
  return aliases;
}

/** The last attribute with each name, by its map. */
type Pairs = ReadonlyMap<unknown, ReadonlyMap<string, Pair>>;

/** Finds the attributes of each map. A name for the second time becomes an error. */
function pairsIn(document: Document.Parsed): Pairs {
  const pairs = new Map<unknown, ReadonlyMap<string, Pair>>();
  visit(document, {
    Map: (_, map) => {
      const named = new Map<string, Pair>();
      for (const pair of map.items) {
        const { key } = pair;
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (named.has(name)) {
          const [start = 0, end = 0] = key.range ?? [];
          const message = FILE_FINDINGS.repeatedName(name);
          document.errors.push(new YAMLParseError([start, end], 'DUPLICATE_KEY', message));
        }
        named.set(name, pair);
      }
      pairs.set(map, named);
    },
  });
  return pairs;
}

/** Adds an error for each text whose start is a tag or an anchor to YAML, which drops it. */
function expectWholeTexts(document: Document.Parsed, text: string): void {
  const used = new Set(aliasesIn(document).map(({ source }) => source));
  visit(document, {
    Scalar: (_, { tag, anchor = '', range }) => {
      const isTag = tag === '!';
      if (!isTag && (anchor === '' || used.has(anchor))) return;
      const start = isTag ? '!' : `&${anchor}`;
      const at = text.lastIndexOf(start, range?.[0]);
      const message = FILE_FINDINGS.notQuoted(start, isTag ? 'tag' : 'anchor');
      document.errors.push(new YAMLParseError([at, at + 1], 'UNEXPECTED_TOKEN', message));
    },
  });
}

function offsetOf(document: Document, pairs: Pairs, path: readonly (string | number)[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const key of path) {
    if (isMap(node)) {
      const pair = pairs.get(node)?.get(String(key));
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

/** Writes a configuration as YAML that people read and `config check` accepts. */
export function writeConfiguration(content: unknown): string {
  const document = new Document(content, { ...WRITTEN, aliasDuplicateObjects: false });
  return printableLines(document.toString({ lineWidth: 0 }));
}

/** The first line of a configuration file: it tells editors how to complete and check the rest. */
export function schemaComment(file: string): string {
  const path = relative(dirname(file), SCHEMA);
  // Without a dot, it would not be taken for a path.
  return `# yaml-language-server: $schema=${path.startsWith('.') ? path : `./${path}`}\n`;
}

/**
 * Returns true for what names a file rather than a client: a path, or a name that ends with
 * `.yaml`.
 */
export function isFileName(name: string): boolean {
  return /[\\/]|\.ya?ml$/i.test(name);
}

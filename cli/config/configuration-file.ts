import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  stringify,
} from 'yaml';

/** A place in a file. Both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What prevents a file from being read as YAML. */
export interface SyntaxProblem extends Position {
  readonly message: string;
}

/** A configuration as operators edit it: YAML with `clientId`, `lastFieldId` and `fields`. */
export interface ConfigurationFile {
  /** The content as plain JavaScript. */
  readonly content: unknown;
  /** Finds an attribute, or, if it is missing, the map or list in which it is missing. */
  readonly positionOf: (path: readonly (string | number)[]) => Position;
}

/** Parses a configuration file. Returns the first problem of its syntax, which causes most of the others, or the file. */
export function parseConfigurationFile(
  text: string,
): { readonly file: ConfigurationFile } | { readonly problem: SyntaxProblem } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const [first] = document.errors.toSorted((one, other) => one.pos[0] - other.pos[0]);
  if (first) return { problem: { ...at(first.pos[0]), message: first.message } };
  return {
    file: {
      content: document.toJS(),
      positionOf: (path) => at(offsetOf(document, path)),
    },
  };
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
  ...['clientId', 'lastFieldId', 'fields'],
  ...['id', 'fieldType', 'fieldName', 'mandatory', 'appUIs', 'allowMultiple', 'addButtonText'],
  ...['subFieldA', 'subFieldB'],
  ...['subType', 'placeHolderText', 'allowCopies', 'alpha', 'numbers', 'symbols', 'maxChars'],
  ...['options', 'optionsArray', 'value', 'display'],
];

/** Writes a configuration as YAML that people read and `config check` accepts. */
export function writeConfiguration(content: unknown): string {
  return stringify(readable(content), { lineWidth: 0 });
}

/** A value in the order of its attributes for people; a set is a list. */
function readable(value: unknown): unknown {
  if (value instanceof Set) return [...value].toSorted();
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const rank = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1))
      .map(([name, part]) => [name, readable(part)]),
  );
}

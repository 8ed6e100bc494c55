import { isDeepStrictEqual } from 'node:util';
import {
  type CST,
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { withoutDerived } from '../../../admin/configuration/without-derived.ts';
import {
  isMap as isStoredMap,
  type StoredMap,
} from '../../../core/configuration/complete-field.ts';
import { printable } from '../../../core/text.ts';
import {
  customTags,
  parseConfigurationFile,
  writeConfiguration,
  writeDocument,
} from './configuration-file.ts';

/** What apps get after a publication, as a file has it. */
export interface Publication {
  readonly base: string;
  readonly lastFieldId: number;
  /** The fields with their ids, as operators write them. */
  readonly fields: readonly StoredMap[];
}

/** A file that is edited: a map with a list of maps. */
interface EditedFile {
  readonly text: string;
  readonly contents: YAMLMap;
  readonly list: YAMLSeq<YAMLMap>;
  /** The fields as plain JavaScript. */
  readonly fields: readonly StoredMap[];
  readonly lines: LineCounter;
  readonly newline: string;
}

/** A replacement of a part of a text. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The indentation of fields in a list that had none. */
const INDENT = 2;

/**
 * Writes a publication into the text of the file that was published: base, ids and, after a merge,
 * what others changed. What they did not change stays as it is, comments and blanks too. Returns
 * undefined for a text in which that is impossible, such as one with aliases of fields.
 */
export function withPublication(text: string, publication: Publication): string | undefined {
  let edited = text;
  for (const step of [withIds, withFields, withAttributes]) {
    const file = editedFile(edited);
    if (!file) return undefined;
    edited = step(file, publication);
  }
  return isPublished(text, edited, publication) ? edited : undefined;
}

function editedFile(text: string): EditedFile | undefined {
  const { problems, file } = parseConfigurationFile(text);
  const lines = new LineCounter();
  const options = { customTags, keepSourceTokens: true, lineCounter: lines } as const;
  const { contents } = parseDocument(text, options);
  const list = isMap(contents) ? contents.get('fields', true) : undefined;
  const isReadable = problems.length === 0 && isStoredMap(file?.content);
  if (!isReadable || !isMap(contents) || !isSeq(list) || !list.items.every(isMap)) return undefined;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const fields = file.content.fields as StoredMap[];
  return { text, contents, list: list as YAMLSeq<YAMLMap>, fields, lines, newline };
}

/** Whether a text differs from what was published in nothing but its form. */
function isPublished(text: string, edited: string, publication: Publication): boolean {
  const [before, after] = [text, edited].map((one) => parseConfigurationFile(one).file?.content);
  if (!isStoredMap(before) || !isStoredMap(after) || !Array.isArray(after.fields)) return false;
  const fields = after.fields.map(withoutDerived);
  return isDeepStrictEqual({ ...after, fields }, { ...before, ...publication });
}

/** Gives each new field the id with which it was published. */
function withIds({ text, list, fields, newline }: EditedFile, publication: Publication): string {
  const left = publication.fields.filter(({ id }) => !fields.some((field) => field.id === id));
  const edits = list.items.flatMap((item, index): Edit[] => {
    const at = startOf(item.items[0]?.key);
    if (item.has('id') || at === undefined) return [];
    const found = left.findIndex((field) => isSame({ id: field.id, ...fields[index] }, field));
    if (found === -1) return [];
    const id = JSON.stringify(left.splice(found, 1)[0]?.id);
    const indent = ' '.repeat(at - (text.lastIndexOf('\n', at - 1) + 1));
    const added = item.flow ? `"id": ${id}, ` : `id: ${id}${newline}${indent}`;
    return [{ from: at, to: at, text: added }];
  });
  return withEdits(text, edits);
}

/** Writes the fields that others changed, added, moved or removed. */
function withFields(file: EditedFile, { fields }: Publication): string {
  const { text, contents, list, newline } = file;
  const isUnchanged =
    fields.length === file.fields.length &&
    fields.every((field, index) => isSame(file.fields[index], field));
  if (isUnchanged) return text;
  if (!list.flow) return withLines(file, fields);
  const [from = 0, to = 0] = list.range ?? [];
  if (contents.flow || file.fields.length > 0) {
    return withEdits(text, [{ from, to, text: flowList(file, fields) }]);
  }
  // An empty list is written with brackets, whatever the form of the rest.
  const listed = fields.flatMap((field) => linesOf(field, INDENT)).join(newline);
  const start = text.slice(0, from).trimEnd().length;
  return withEdits(text, [{ from: start, to, text: `${newline}${listed}` }]);
}

/**
 * Writes the fields of a list in which each has a dash. The comments above a field belong to it.
 */
function withLines(file: EditedFile, fields: readonly StoredMap[]): string {
  const { text, list, lines: counter, newline } = file;
  // As if the last line had an end.
  const isOpen = !text.endsWith('\n');
  const lines = `${text}${isOpen ? newline : ''}`.split('\n');
  const carriageReturn = newline.slice(0, -1);
  const dashes = dashesOf(list).map((offset) => counter.linePos(offset));
  const rows = dashes.map(({ line }) => line - 1);
  const column = (dashes[0]?.col ?? 1) - 1;
  const starts = rows.map((row) => startOfComments(lines, row, column));
  const end = endOfList(lines, counter.linePos(list.range?.[2] ?? 0), column);
  const listed = fields.flatMap((field) => {
    const index = file.fields.findIndex(({ id }) => id === field.id);
    const [start, row, next = end] = [starts[index], rows[index], starts[index + 1]];
    if (row === undefined) return linesOf(field, column).map((line) => line + carriageReturn);
    const current = lines.slice(row, next);
    const changed = isSame(file.fields[index], field)
      ? current
      : changedLines(current, field, column).map((line) => line + carriageReturn);
    return [...lines.slice(start, row), ...changed];
  });
  const none = `${' '.repeat(INDENT)}[]${carriageReturn}`;
  const written = [
    ...lines.slice(0, starts[0]),
    ...(listed.length > 0 ? listed : [none]),
    ...lines.slice(end),
  ].join('\n');
  return isOpen ? written.slice(0, -newline.length) : written;
}

function dashesOf({ srcToken }: YAMLSeq): number[] {
  const { items } = srcToken as CST.BlockSequence;
  return items.flatMap(({ start, value }) => {
    const dash = start.find(({ type }) => type === 'seq-item-ind');
    return value && dash ? [dash.offset] : [];
  });
}

const isBlankOrComment = (line = '') => /^\s*(?:#|$)/.test(line);

/** The row where the comments above a row begin. Deeper ones belong to what is above them. */
function startOfComments(lines: readonly string[], row: number, column: number): number {
  let start = row;
  while (start > 0 && isBlankOrComment(lines[start - 1])) start--;
  return endOfDeeperComments(lines, start, row, column);
}

/**
 * The row after the last field, from the position where the parser has found the end of the list.
 */
function endOfList(
  lines: readonly string[],
  { line, col }: ReturnType<LineCounter['linePos']>,
  column: number,
): number {
  const last = col > 1 ? line : line - 1;
  let end = last;
  while (isBlankOrComment(lines[end - 1])) end--;
  return endOfDeeperComments(lines, end, last, column);
}

function endOfDeeperComments(
  lines: readonly string[],
  start: number,
  end: number,
  column: number,
): number {
  const isDeeper = (line = '') => line.search(/\S/) > column && isBlankOrComment(line);
  const others = lines.slice(start, end).findIndex((line) => !isDeeper(line));
  return others === -1 ? end : start + others;
}

/** The lines of a field that others changed, with the comments in what they did not change. */
function changedLines(lines: readonly string[], field: StoredMap, column: number): string[] {
  const document: Document = parseDocument(lines.join('\n'), { customTags });
  const { contents, errors } = document;
  let hasAlias = false;
  visit(document, {
    Alias: () => {
      hasAlias = true;
    },
  });
  // What an alias repeats may be in another field.
  if (errors.length > 0 || hasAlias || !isSeq(contents)) return linesOf(field, column);
  contents.items = [changedNode(document, contents.items[0], field)];
  const changed = writeDocument(document);
  const [written] = parseDocument(changed, { customTags }).toJS();
  return isSame(written, field) ? indented(changed, column) : linesOf(field, column);
}

/**
 * A node with another value. It keeps its comments, and those of its parts that have not changed.
 */
function changedNode(document: Document, node: unknown, value: unknown): unknown {
  if (isMap(node) && isStoredMap(value)) {
    const names = node.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''));
    for (const name of names) if (!(name in value)) node.delete(name);
    for (const [name, part] of Object.entries(value)) {
      node.set(name, changedNode(document, node.get(name, true), part));
    }
    return node;
  }
  if (isSeq(node) && Array.isArray(value)) {
    const parts = node.items as Node[];
    const isAsLong = parts.length === value.length;
    const sameNode = (part: unknown) =>
      parts.find((one) => isDeepStrictEqual(one.toJS(document), part)) ?? document.createNode(part);
    node.items = value.map((part, index) =>
      isAsLong ? changedNode(document, parts[index], part) : sameNode(part),
    );
    return node;
  }
  const isValue = !isStoredMap(value) && !Array.isArray(value);
  if (!isScalar(node) || !isValue) return document.createNode(value);
  node.value = value;
  return node;
}

/** A list in brackets, such as one of JSON, in which the fields that others changed are JSON. */
function flowList({ text, list, fields: own }: EditedFile, fields: readonly StoredMap[]): string {
  const [start = 0, end = 0] = list.range ?? [];
  const { items } = list.srcToken as CST.FlowCollection;
  const commas = items.flatMap(({ start: tokens }) =>
    tokens.filter(({ type }) => type === 'comma').map(({ offset }) => offset),
  );
  const parts = list.items.map(({ range }, index) => {
    const [from = end, to = end] = range ?? [];
    const last = commas[index] ?? to;
    return { before: text.slice((commas[index - 1] ?? start) + 1, from), from, to, last };
  });
  const [blank = ''] = /\s*$/.exec((parts[1] ?? parts[0])?.before ?? '') ?? [];
  const written = fields.map((field) => {
    const index = own.findIndex(({ id }) => id === field.id);
    const json = printable(JSON.stringify(field));
    const part = parts[index];
    if (!part) return `${blank}${json}`;
    const { before, from, to, last } = part;
    return `${before}${isSame(own[index], field) ? text.slice(from, to) : json}${text.slice(to, last)}`;
  });
  const rest = text.slice(parts.at(-1)?.last ?? start + 1, end - 1);
  return written.length > 0 ? `[${written.join()}${rest}]` : '[]';
}

/** Writes base and `lastFieldId`, below the id of the client if they are new. */
function withAttributes({ text, contents, newline }: EditedFile, publication: Publication): string {
  const edits: Edit[] = [];
  const nodeOf = (name: string) => contents.get(name, true) as Node | undefined;
  const clientIdEnd = nodeOf('clientId')?.range?.[1];
  // A flow map may be JSON, and stays JSON.
  const written = contents.flow ? JSON.stringify : String;
  // Of two additions at the same place, the second one comes before the first.
  for (const name of ['lastFieldId', 'base'] as const) {
    const value = written(publication[name]);
    const [from, to] = nodeOf(name)?.range ?? [];
    if (from !== undefined && to !== undefined) edits.push({ from, to, text: value });
    else if (clientIdEnd !== undefined) {
      const lineEnd = text.indexOf(newline, clientIdEnd);
      const at = contents.flow ? clientIdEnd : lineEnd === -1 ? text.length : lineEnd;
      const added = `${contents.flow ? ', ' : newline}${written(name)}: ${value}`;
      edits.push({ from: at, to: at, text: added });
    }
  }
  return withEdits(text, edits);
}

function withEdits(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((rest, edit) => rest.slice(0, edit.from) + edit.text + rest.slice(edit.to), text);
}

/** Whether a field says the same as one without what the service derives. */
function isSame(field: unknown, lean: StoredMap): boolean {
  return isDeepStrictEqual(withoutDerived(field), lean);
}

/** The lines of a field in a list whose dashes are in a column. */
function linesOf(field: StoredMap, column: number): string[] {
  return indented(writeConfiguration([field]), column);
}

function indented(text: string, column: number): string[] {
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line) => line && `${' '.repeat(column)}${line}`);
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

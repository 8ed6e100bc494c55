import { readFile, stat, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { isMap as isStoredMap, type StoredMap } from 'customer-data-api/configuration';
import { suggested, whyUnreadable } from 'customer-data-api-deployment/program';
import { Composer, type CST, type Document, isMap, isScalar, isSeq, Parser, visit } from 'yaml';
import { parseConfigurationFile, writeDocument, YAML_OPTIONS } from '../configuration-file.ts';
import { withoutDerived } from '../derived-attributes.ts';
import type { Plan } from '../plan-change.ts';

/** What became of a file. */
export interface UpdatedFile {
  /** Says it to its operator. */
  readonly note: string;
  /** True if its operator must not change and publish it again. */
  readonly isStale: boolean;
}

/**
 * Writes into a file what apps get, once everything in it is live: the new `base`, `lastFieldId`
 * and ids and, after a merge, what others changed. Without ids, the next merge would add its new
 * fields again. A file that was saved since it was read is left alone.
 *
 * @param text what it contained when it was read.
 */
export async function updateFile(
  file: string,
  text: string,
  { before, after, mergedWith, starts }: Plan,
): Promise<UpdatedFile> {
  const { clientId } = before;
  const show = suggested('config', 'show', clientId, 'FILE');
  const stale = (reason: string): UpdatedFile => ({
    note: `${file} was not updated: ${reason} Before you edit it again, write the configuration into a new file: ${show}`,
    isStale: true,
  });
  const content = after.written as Omit<Published, 'base'>;
  const { digest: base } = starts ? before : after;
  const updated = updatedText(text, { base, ...content });
  try {
    if (!(await stat(file)).isFile()) {
      const note = `Before you edit it again, write the configuration into a file: ${show}`;
      return { note, isStale: false };
    }
    if ((await readFile(file, 'utf8')) !== text) return stale('it was saved in the meantime.');
    if (updated === undefined) {
      return stale('its aliases or its layout cannot be edited automatically.');
    }
    await writeFile(file, updated);
  } catch (error) {
    return stale(whyUnreadable(file, error as NodeJS.ErrnoException));
  }
  const merged = mergedWith ? ', including the merged changes' : '';
  const what = starts ? 'the candidate' : 'what is live';
  return { note: `${file} now matches ${what}${merged}. Keep editing it.`, isStale: false };
}

/** What apps get after a publication, as a file has it. */
interface Published {
  readonly base: string;
  readonly lastFieldId: number;
  readonly language?: unknown;
  /** The fields with their ids, as operators write them. */
  readonly fields: readonly StoredMap[];
}

/**
 * Writes a publication into the text of the file that was published: base, ids and, after a merge,
 * what others changed. Comments and everything else stay. Returns undefined for a text in which
 * that is impossible, such as one with an alias of a value that others removed.
 */
export function updatedText(text: string, publication: Published): string | undefined {
  const before = contentOf(text);
  const lines = text.replaceAll('\r\n', '\n');
  const document = documentOf(lines);
  const contents = document?.contents;
  const list = isMap(contents) && contents.get('fields', true);
  if (!before || !document || !isMap(contents) || !isSeq(list)) return undefined;
  // What has several lines does not become one. JSON stays JSON.
  if (!contents.flow) {
    visit(document, {
      Collection: (_, node) => {
        const isLong = lines.slice(...(node.range ?? [])).includes('\n');
        if (isLong || node.items.length === 0) node.flow = false;
      },
    });
  }
  list.items = fieldsIn(document, list.items, before.fields, publication.fields);
  contents.set('base', publication.base);
  contents.set('lastFieldId', publication.lastFieldId);
  if (publication.language === undefined) contents.delete('language');
  else if (before.language !== publication.language) contents.set('language', publication.language);
  const written = writeDocument(document, contents.flow);
  const after = contentOf(written);
  const { language: _, ...others } = before;
  const isPublished = isDeepStrictEqual(
    { ...after, fields: after?.fields.map(withoutDerived) },
    { ...others, ...publication },
  );
  if (!isPublished) return undefined;
  return withLineEnds(written, text);
}

/** Gives each line the end that it had before; a new one, that of the line above. */
function withLineEnds(written: string, before: string): string {
  if (!before.includes('\r')) return written;
  const ends = Map.groupBy(before.match(/^.*(?:\r?\n|$)/gm) ?? [], (line) => line.trimEnd());
  let last = /\r?\n/.exec(before)?.[0] ?? '\n';
  return written.replaceAll(/^(.*)\n/gm, (_, line: string) => {
    last = /\r?\n$/.exec(ends.get(line.trimEnd())?.shift() ?? '')?.[0] ?? last;
    return `${line}${last}`;
  });
}

function documentOf(text: string): Document | undefined {
  const tokens = [...new Parser().parse(text)];
  for (const token of tokens) if (token.type === 'document') hoistComments(token.value);
  const [document] = new Composer(YAML_OPTIONS).compose(tokens);
  return document;
}

/**
 * Takes the comments out of a collection that are less indented than it, and so belong to what
 * follows. The parser takes out all comments at its end, or none.
 */
function hoistComments(token: CST.Token | null | undefined): CST.SourceToken[] {
  if (token?.type !== 'block-map' && token?.type !== 'block-seq') return [];
  const items: { start: CST.SourceToken[]; key?: unknown; value?: CST.Token | null }[] =
    token.items;
  for (const [index, { value }] of [...items.entries()]) {
    const comments = hoistComments(value);
    if (comments.length === 0) continue;
    if (items[index + 1] === undefined) items.push({ start: [] });
    items[index + 1]?.start.unshift(...comments);
  }
  const last = items.at(-1);
  if (!last || last.value || last.key) return [];
  const first = last.start.findIndex((one) => one.type === 'comment' && one.indent < token.indent);
  return first === -1 ? [] : last.start.splice(first);
}

function contentOf(text: string) {
  const content = parseConfigurationFile(text).file?.content;
  return isStoredMap(content) && Array.isArray(content.fields)
    ? (content as StoredMap & { readonly fields: readonly StoredMap[] })
    : undefined;
}

/** The nodes of fields: those of the file if it has them, with or without their ids. */
function fieldsIn(
  document: Document,
  nodes: readonly unknown[],
  own: readonly StoredMap[],
  fields: readonly StoredMap[],
): unknown[] {
  const left = own.map((field, index) => ({ field, node: nodes[index] }));
  return fields.map((published) => {
    const { id } = published;
    // What the service derives may stay in a file.
    const isSame = (field: StoredMap) =>
      isDeepStrictEqual(withoutDerived({ id, ...field }), published);
    const index = left.findIndex(({ field }) => field.id === id || isSame(field));
    const [found] = index === -1 ? [] : left.splice(index, 1);
    if (!found) return document.createNode(published);
    const value = isSame(found.field) ? { id, ...found.field } : published;
    return nodeWith(document, found.node, found.field, value);
  });
}

/** A node with another value. It keeps its comments, and those of its parts that are the same. */
function nodeWith(document: Document, node: unknown, before: unknown, after: unknown): unknown {
  if (isDeepStrictEqual(before, after)) return node;
  if (isMap(node) && isStoredMap(before) && isStoredMap(after)) {
    for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) node.delete(name);
    for (const [name, value] of Object.entries(after)) {
      node.set(name, nodeWith(document, node.get(name, true), before[name], value));
    }
    return node;
  }
  if (isSeq(node) && Array.isArray(before) && Array.isArray(after)) {
    const { items } = node;
    const isAsLong = before.length === after.length;
    const places = new Map<string, number>();
    for (const [at, one] of before.entries()) {
      const text = JSON.stringify(one);
      if (!places.has(text)) places.set(text, at);
    }
    node.items = after.map((value, index) => {
      const at = isAsLong ? index : (places.get(JSON.stringify(value)) ?? -1);
      return nodeWith(document, items[at], before[at], value);
    });
    return node;
  }
  const isScalarValue = !isStoredMap(after) && !Array.isArray(after);
  if (!isScalar(node) || !isScalarValue) return document.createNode(after);
  node.value = after;
  return node;
}

import {
  access,
  chmod,
  constants,
  copyFile,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ConfigsItem } from 'customer-data-api/clients';
import { attributeOf, isMap as isStoredMap, withoutDerived } from 'customer-data-api/configuration';
import { fileText } from 'customer-data-api/file-text';
import type { Sentence } from 'customer-data-api/sentences';
import { suggesting, whyUnreadable } from 'customer-data-api-deployment/program';
import { isMap, isNode, isScalar, isSeq, parseDocument, visit, type YAMLMap } from 'yaml';
import {
  parseConfigurationFile,
  schemaComment,
  writeConfiguration,
  YAML_OPTIONS,
} from '../../configurations/configuration-file.ts';
import { exactJson } from '../../configurations/exact-number.ts';
import type { Plan } from '../../configurations/plan-draft.ts';
import { fileOf } from '../../configurations/stored-configuration.ts';

/** The outcome for a file. */
export interface UpdatedFile {
  /** Says it to its operator. */
  readonly note: Sentence;
  /** True if its operator must not change and publish it again. */
  readonly isStale: boolean;
}

/**
 * Writes into a file what was published: the new `base`, `lastFieldId` and ids, without which the
 * next merge would add its new fields again. If that is not all, as after a merge, the file is
 * written as `config show` writes it, and kept beside as it was. A file that was saved since it was
 * read is left alone.
 *
 * @param text what it contained when it was read.
 */
export async function updateFile(
  file: string,
  text: string,
  { step, before, after, mergedWith }: Plan,
): Promise<UpdatedFile> {
  const { clientId } = before;
  const show = ['config', 'show', clientId, 'FILE'];
  const stale = (reason: string): UpdatedFile => ({
    note: suggesting(
      `${file} was not updated: ${reason} Before you edit it again, write the configuration into a new file:`,
      ...show,
    ),
    isStale: true,
  });
  const isRollout = step.kind === 'rollOut';
  const { digest: base } = isRollout ? before.live : after;
  const content = { ...fileOf(clientId, after), base };
  const edited = editedText(text, content);
  try {
    if (!(await stat(file)).isFile()) {
      const note = 'Before you edit it again, write the configuration into a file:';
      return { note: suggesting(note, ...show), isStale: false };
    }
    if (fileText(await readFile(file)) !== text) return stale('it was saved in the meantime.');
    const kept = edited === undefined ? await keepBeside(file) : undefined;
    await replaceFile(file, edited ?? writtenAnew(file, text, content));
    const merged = mergedWith?.length ? ', including the merged changes' : '';
    const now = `${file} now matches ${isRollout ? 'the candidate' : 'what is live'}${merged}. Keep editing it.`;
    const old = hasComments(text.replace(schemaComment(file), ''))
      ? `It is written anew, without its comments. The old file, with them, is ${kept}.`
      : `It is written anew. The old file is ${kept}.`;
    return { note: kept === undefined ? now : `${now} ${old}`, isStale: false };
  } catch (error) {
    const { dest = file } = error as { dest?: string };
    return stale(whyUnreadable(dest, error as NodeJS.ErrnoException));
  }
}

function hasComments(text: string): boolean {
  const document = parseDocument(text, YAML_OPTIONS);
  let isFound = Boolean(document.comment || document.commentBefore);
  visit(document, {
    Node(_, { comment, commentBefore }) {
      isFound ||= Boolean(comment || commentBefore);
    },
  });
  return isFound;
}

/** Copies a file to the first free name: `pizza.yaml.orig`, `pizza.yaml.orig2` and so on. */
async function keepBeside(file: string): Promise<string> {
  for (let number = 1; ; number++) {
    const copy = `${file}.orig${number === 1 ? '' : number}`;
    try {
      await copyFile(file, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Replaces the text of a file as a whole: a disk that is full would leave the half of it. */
async function replaceFile(file: string, text: string): Promise<void> {
  const target = await realpath(file);
  await access(target, constants.W_OK);
  const { mode } = await stat(target);
  const temporary = `${target}.${process.pid}`;
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    await chmod(temporary, mode);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Writes a configuration as `config show` writes it into a file. JSON stays JSON. */
function writtenAnew(file: string, text: string, content: ConfigsItem): string {
  try {
    JSON.parse(text);
  } catch {
    return `${schemaComment(file)}${writeConfiguration(content)}`;
  }
  return `${exactJson(content, 2)}\n`;
}

/** Replaces a part of a text. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/**
 * Writes `base`, `lastFieldId` and the ids of new fields into the text of a file, and leaves every
 * other character as it is.
 *
 * @returns undefined if the text would not have the content then.
 */
export function editedText(text: string, content: ConfigsItem): string | undefined {
  const { base, lastFieldId, fields } = content;
  const { contents: root } = parseDocument(text, YAML_OPTIONS);
  const list = isMap(root) && root.get('fields', true);
  if (!isMap(root) || !isSeq(list) || !Array.isArray(fields)) return undefined;
  const edits = [
    attributesAfterClientId(text, root, { base, lastFieldId }),
    list.items.map((field, at) =>
      isMap(field) && !field.has('id') ? idBefore(text, field, attributeOf(fields[at], 'id')) : [],
    ),
  ].flat(2);
  const edited = edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((all, { start, end, by }) => `${all.slice(0, start)}${by}${all.slice(end)}`, text);
  const after = parseConfigurationFile(edited).file?.content;
  if (!isStoredMap(after) || !Array.isArray(after.fields)) return undefined;
  // What the service derives may stay in a file.
  const lean = { ...after, fields: after.fields.map(withoutDerived) };
  return isDeepStrictEqual(lean, content) ? edited : undefined;
}

/** Replaces attributes at the top of a file. Those that it lacks follow `clientId`. */
function attributesAfterClientId(
  text: string,
  root: YAMLMap,
  attributes: Readonly<Record<string, unknown>>,
): Edit[] {
  const clientId = root.items.find(({ key }) => isScalar(key) && key.value === 'clientId');
  const [, valueEnd = 0] = (isNode(clientId?.value) && clientId.value.range) || [];
  const lineEnd = text.slice(valueEnd).search(/\r?\n|$/);
  const at = root.flow ? valueEnd : valueEnd + lineEnd;
  const { separator, written } = styleOf(text, root, clientId?.key);
  const added: string[] = [];
  const edits = Object.entries(attributes).flatMap(([name, value]): Edit[] => {
    const node = root.get(name, true);
    const [start, end] = (isNode(node) && node.range) || [];
    if (start !== undefined && end !== undefined) return [{ start, end, by: written(value) }];
    added.push(`${separator}${written(name)}: ${written(value)}`);
    return [];
  });
  return [...edits, { start: at, end: at, by: added.join('') }];
}

/** Writes an id before the other attributes of a field. */
function idBefore(text: string, field: YAMLMap, id: unknown): Edit[] {
  const key = field.items[0]?.key;
  const [start = 0] = (isNode(key) && key.range) || [];
  const { separator, written } = styleOf(text, field, key);
  return [{ start, end: start, by: `${written('id')}: ${written(id)}${separator}` }];
}

/**
 * Finds the form in which a map writes attributes, as one of its keys: in lines or in braces,
 * perhaps in quotes.
 */
function styleOf(text: string, { flow }: YAMLMap, key: unknown) {
  const isQuoted = isScalar(key) && key.type === 'QUOTE_DOUBLE';
  const [start = 0] = (isNode(key) && key.range) || [];
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start).replace('\ufeff', '');
  const line = `${text.includes('\r\n') ? '\r\n' : '\n'}${before.replaceAll(/[^\t]/g, ' ')}`;
  const separator = !flow ? line : before.trim() === '' ? `,${line}` : ', ';
  const written = (value: unknown) =>
    isQuoted ? JSON.stringify(value) : writeConfiguration(value).trimEnd();
  return { separator, written };
}

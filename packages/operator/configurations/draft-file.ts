import { isMap } from 'customer-data-api/configuration';
import { readVersion } from 'customer-data-api/history';
import { UserError } from 'customer-data-api-deployment/program';
import { ConfigurationConflict } from '../errors.ts';
import { findingsIn, lineOf } from './check.ts';
import { parseConfigurationFile, writeConfiguration } from './configuration-file.ts';
import type { ContentDraft } from './plan-change.ts';
import { changesSince } from './recent-changes.ts';
import {
  type ClientConfiguration,
  type ConfigurationTables,
  readStored,
  storedConfiguration,
} from './stored-configuration.ts';

/** What the text of a file says. */
export interface ParsedFile {
  /** What is wrong with the file, in lines; errors first. */
  readonly findings: readonly string[];
  /** Undefined if the file is no configuration. */
  readonly content?: Readonly<Record<'clientId' | 'base' | 'language', unknown>> & {
    readonly fields: readonly unknown[];
  };
}

/** A file that was opened as a draft. */
export interface OpenedFile extends Pick<ParsedFile, 'findings'> {
  /** Undefined if the file is no configuration. */
  readonly draft?: Pick<ContentDraft, 'fields' | 'language'> & {
    /** What the draft changes: the configuration with the digest `base`. */
    readonly from: Pick<ContentDraft, 'fields' | 'language'> & { readonly base: string };
  };
}

/** Writes a draft as a configuration file, which `config publish` publishes. */
export async function writeDraft(
  tables: ConfigurationTables,
  draft: ContentDraft,
): Promise<string> {
  const { clientId, base, language, fields } = draft;
  const { lastFieldId } = (await readStored(tables, clientId)).written;
  return writeConfiguration({
    clientId,
    base,
    ...(lastFieldId !== undefined && { lastFieldId }),
    ...(language !== undefined && { language }),
    fields,
  });
}

/** Parses the text of a configuration file, in YAML or JSON. A large one takes seconds. */
export function parseDraft(text: string): ParsedFile {
  const parsed = parseConfigurationFile(text);
  const findings = findingsIn(parsed)
    // What is pasted for a client need not name it.
    .filter(({ code, path }) => code !== 'missing' || path.join() !== 'clientId')
    .map((finding) => `${finding.line}:${finding.column} ${lineOf(finding)}`);
  const content = parsed.file?.content;
  if (!isMap(content) || !Array.isArray(content.fields)) return { findings };
  const { clientId, base, language, fields } = content;
  return { findings, content: { clientId, base, language, fields } };
}

/**
 * Opens a configuration file as a draft of a client.
 *
 * @throws UserError if it is the file of another client; ConfigurationConflict if the history lacks
 *   its base.
 */
export async function openDraft(
  tables: ConfigurationTables,
  clientId: string,
  { findings, content }: ParsedFile,
): Promise<OpenedFile> {
  if (!content) return { findings };
  if (content.clientId !== undefined && content.clientId !== clientId) {
    const other = JSON.stringify(content.clientId);
    const message = `This is the file of ${other}. Open it there, or copy its fields.`;
    throw new UserError(message, 'invalidConfiguration');
  }
  const { fields, language } = content;
  const live = await readStored(tables, clientId);
  const base = typeof content.base === 'string' ? content.base : live.digest;
  const { digest, written, ...found } = await configurationAt(tables, live, base);
  const from = { base: digest, fields: found.fields, language: written.language };
  return { findings, draft: { from, fields, language } };
}

/** Reads what a client had when its digest was `base`. */
async function configurationAt(
  tables: ConfigurationTables,
  live: ClientConfiguration,
  base: string,
): Promise<ClientConfiguration> {
  if (base === live.digest) return live;
  const { clientId } = live;
  const since = await changesSince(tables, base, live);
  const { content } = (await readVersion(tables, clientId, since.base.version)) ?? {};
  if (!content) throw new ConfigurationConflict(clientId, { kind: 'baseNotRecorded', since });
  return { ...storedConfiguration(clientId, content), digest: base };
}

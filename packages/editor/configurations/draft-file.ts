import type { StoredConfiguration } from 'customer-data-api/clients';
import { highestId, isMap, plausibleLastFieldId } from 'customer-data-api/configuration';
import { writtenConfiguration, writtenFields } from 'customer-data-api/history';
import type { ConfigurationTables } from 'customer-data-api-deployment';
import { readExistingClient } from '../clients/configs-table.ts';
import { configurationConflict } from '../errors.ts';
import { findingsIn, lineOf } from './check.ts';
import { parseConfigurationFile, writeConfiguration } from './configuration-file.ts';
import { expectBase, findBase } from './draft-base.ts';
import { type ChangedId, giveNewIds, liveOf } from './new-ids.ts';
import type { ContentDraft } from './plan-draft.ts';

/** The content of the text of a file. */
interface ParsedFile {
  /** The findings in the file, in lines; errors first. */
  readonly findings: readonly string[];
  /** Undefined if the file is no configuration. */
  readonly content?: Readonly<Record<'clientId' | 'base' | 'lastFieldId' | 'language', unknown>> & {
    readonly fields: readonly unknown[];
  };
}

/** A file that was opened as a draft. */
export interface OpenedFile extends Pick<ParsedFile, 'findings'> {
  /** Undefined if the file is no configuration. */
  readonly draft?: Pick<ContentDraft, 'fields' | 'language'> & {
    /** The configuration that the draft changes, with the digest `base`. */
    readonly from: Pick<ContentDraft, 'fields' | 'language'> & { readonly base: string };
  };
  /** The fields of a copy that have other ids than in the file. */
  readonly changedIds?: readonly ChangedId[];
}

/** Writes a draft as a configuration file, which `config publish` publishes. */
export async function writeDraft(
  tables: ConfigurationTables,
  draft: ContentDraft,
): Promise<string> {
  const { clientId, base, language, fields } = draft;
  const { live } = await readExistingClient(tables, clientId);
  const { lastFieldId } = writtenConfiguration(live.content);
  return writeConfiguration({
    clientId,
    base,
    ...(lastFieldId !== undefined && { lastFieldId }),
    ...(language !== undefined && { language }),
    fields,
  });
}

/** Parses the text of a configuration file, in YAML or JSON. */
function parseDraft(text: string): ParsedFile {
  const parsed = parseConfigurationFile(text);
  const findings = findingsIn(parsed)
    // What is pasted for a client need not name it.
    .filter(({ code, path }) => code !== 'missing' || path.join() !== 'clientId')
    .map((finding) => `${finding.line}:${finding.column} ${lineOf(finding)}`);
  const content = parsed.file?.content;
  if (!isMap(content) || !Array.isArray(content.fields)) return { findings };
  const { clientId, base, lastFieldId, language, fields } = content;
  return { findings, content: { clientId, base, lastFieldId, language, fields } };
}

/**
 * Opens the text of a configuration file as a draft of a client.
 *
 * @param copies opens the file of another deployment or client as a draft that replaces what is
 *   live, with the ids that `config publish --as-copy` gives.
 * @throws OperatorError configurationConflict for a file that is not based on a version of the
 *   client, or was live; usedIds or historyBehind for a copy.
 */
export async function openDraft(
  tables: ConfigurationTables,
  clientId: string,
  text: string,
  copies = false,
): Promise<OpenedFile> {
  const { findings, content } = parseDraft(text);
  if (!content) return { findings };
  const { fields, language } = content;
  const client = await readExistingClient(tables, clientId);
  const live = writtenFields(client.live.content);
  if (copies) {
    const lastFieldId = plausibleLastFieldId(content.lastFieldId, highestId(fields));
    const copied = { fields, base: live, lastFieldId, copies };
    const copy = await giveNewIds(tables, liveOf(client), copied);
    const draft = { from: draftOf(client.live), fields: copy.fields, language };
    return { findings, draft, changedIds: copy.changedIds };
  }
  if (content.clientId !== undefined && content.clientId !== clientId) {
    throw configurationConflict(clientId, { kind: 'otherClient', named: content.clientId });
  }
  const base = expectBase(client, typeof content.base === 'string' ? content.base : undefined);
  const { original, isSame } = await findBase(tables, client, { base, fields, language });
  const from = draftOf(original);
  return { findings, draft: { from, fields: isSame ? live : fields, language } };
}

/** Returns what a draft changes. */
function draftOf({ content, digest }: StoredConfiguration) {
  const { language } = writtenConfiguration(content);
  return { base: digest, fields: writtenFields(content), language };
}

import type { ConfigsItem } from 'customer-data-api/clients';
import { writtenConfiguration, writtenFields } from 'customer-data-api/history';
import type { ConfigurationTables } from 'customer-data-api-deployment';
import type { ChangeOptions } from 'customer-data-api-deployment/commands';
import { printable, readTextFile, UserError } from 'customer-data-api-deployment/program';
import { readExistingClient } from '../../clients/configs-table.ts';
import { readDraft } from '../../configurations/configuration-file.ts';
import type { Decisions } from '../../configurations/merge-fields.ts';
import type {
  ContentDraft,
  Draft,
  Plan,
  Restoration,
  RolloutDraft,
} from '../../configurations/plan-change.ts';
import type { NewRollout } from '../../configurations/rollouts.ts';
import { readFieldsOf } from '../../configurations/stored-configuration.ts';
import { madeOf, mergeTexts } from '../../configurations/texts-csv.ts';

/** The options of a command that changes a configuration. */
export interface PublishOptions extends ChangeOptions, Decisions {
  /** Present, unless it is a dry run. */
  readonly message?: string;
  readonly merge?: boolean;
  /** True if the file is of another deployment or client. */
  readonly asCopy?: boolean;
  /** The rollout to start. */
  readonly starts?: NewRollout;
  /** True to discard the candidate of the rollout that runs. */
  readonly stopRollout?: boolean;
}

/** The translations of a language, in a file of CSV. */
interface Spreadsheet {
  readonly clientId: string;
  readonly language: string;
  readonly file: string;
}

/** The source of a draft: a file, translations, or what is stored. */
export type DraftSource = string | Spreadsheet | Restoration | RolloutDraft;

/** The text of a file with a draft. */
export interface DraftText {
  readonly file: string;
  readonly text: string;
  /** Why it is refused, unless a merge repairs it. */
  readonly refusal: UserError | undefined;
}

/** The source of a draft, once its file is read. */
export type ReadSource = DraftText | Exclude<DraftSource, string>;

/** Makes the draft of a source. */
export async function draftFrom(
  tables: ConfigurationTables,
  content: ReadSource,
  {
    asCopy: copies,
    merge: merges = false,
    mine = [],
    theirs = [],
    starts,
    stopRollout,
  }: PublishOptions,
): Promise<Draft> {
  const ends = stopRollout ? ('stop' as const) : undefined;
  const decisions = { mine, theirs };
  if ('text' in content) {
    return { ...draftIn(content), merges, copies, decisions, ends, ...(starts && { starts }) };
  }
  if ('file' in content) return { ...(await draftWithTexts(tables, content)), ends };
  return { ...content, ends, merges, decisions };
}

export function sourceName(content: ReadSource): string {
  if ('file' in content) return content.file;
  return 'restores' in content
    ? `${content.clientId}@${content.restores}`
    : `The candidate of ${content.clientId}`;
}

export function resultName(content: ReadSource, { mergedWith = [] }: Plan): string {
  return mergedWith.length > 0 ? `${sourceName(content)}, merged` : sourceName(content);
}

function draftIn({ file, text }: DraftText): ContentDraft {
  return readDraft(file, text) as ConfigsItem & ContentDraft;
}

/** Merges translations into what is live. */
async function draftWithTexts(
  tables: ConfigurationTables,
  { clientId, language, file }: Spreadsheet,
): Promise<ContentDraft> {
  const csv = await readTextFile('The spreadsheet', file);
  const client = await readExistingClient(tables, clientId);
  const { content, digest } = client.live;
  const start = madeOf(csv, language);
  const base = start === undefined ? undefined : await readFieldsOf(tables, client, start);
  const { fields, findings } = mergeTexts(writtenFields(content), language, csv, base);
  if (findings.length > 0) {
    const lines = findings.map(({ row, message }) => `${file}:${row} ${printable(message)}.`);
    throw new UserError(lines.join('\n'), 'invalidConfiguration');
  }
  const own = writtenConfiguration(content).language;
  return { clientId, base: digest, fields, language: own, merges: true };
}

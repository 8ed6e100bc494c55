import type { ConfigsItem } from 'customer-data-api/clients';
import type { ChangeOptions } from 'customer-data-api-deployment/commands';
import type { UserError } from 'customer-data-api-deployment/program';
import type { Decisions } from '../../configurations/merge-fields.ts';
import type {
  ContentDraft,
  Draft,
  Plan,
  Restoration,
  RolloutDraft,
  Undoing,
} from '../../configurations/plan-draft.ts';
import type { NewRollout } from '../../configurations/rollouts.ts';
import { readDraft } from '../files.ts';

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

/** The source of a draft: a file, or what is stored. */
export type DraftSource = string | Restoration | Undoing | RolloutDraft;

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
export function draftFrom(
  content: ReadSource,
  {
    asCopy: copies,
    merge: merges = false,
    mine = [],
    theirs = [],
    starts,
    stopRollout,
  }: PublishOptions,
): Draft {
  const ends = stopRollout ? ('stop' as const) : undefined;
  const decisions = { mine, theirs };
  if ('text' in content) {
    return { ...draftIn(content), merges, copies, decisions, ends, ...(starts && { starts }) };
  }
  return { ...content, ends, merges, decisions };
}

export function sourceName(content: ReadSource): string {
  if ('text' in content) return content.file;
  if ('undo' in content) return `${content.clientId} without ${content.clientId}@${content.undo}`;
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

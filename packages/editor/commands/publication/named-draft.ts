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
import { fileContent } from '../files.ts';

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

/** A draft as an operator names it: a file, or a change of what is stored. */
export type NamedDraft = string | Restoration | Undoing | RolloutDraft;

/** A file with a draft. */
export interface FileDraft {
  readonly file: string;
  readonly text: string;
  /** The reason why it is refused, unless a merge repairs it. */
  readonly refusal: UserError | undefined;
}

/** A draft whose file was read. */
export type ReadDraft = FileDraft | Exclude<NamedDraft, string>;

/** Returns the draft that is planned. */
export function draftFrom(
  draft: ReadDraft,
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
  if ('text' in draft) {
    const content = fileContent(draft.file, draft.text) as ConfigsItem & ContentDraft;
    return { ...content, merges, copies, decisions, ends, ...(starts && { starts }) };
  }
  return { ...draft, ends, merges, decisions };
}

export function draftName(draft: ReadDraft): string {
  if ('text' in draft) return draft.file;
  if ('undo' in draft) return `${draft.clientId} without ${draft.clientId}@${draft.undo}`;
  return 'restores' in draft
    ? `${draft.clientId}@${draft.restores}`
    : `The candidate of ${draft.clientId}`;
}

export function resultName(draft: ReadDraft, { mergedWith = [] }: Plan): string {
  return mergedWith.length > 0 ? `${draftName(draft)}, merged` : draftName(draft);
}

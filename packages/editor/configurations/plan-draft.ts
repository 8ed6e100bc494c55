import { randomUUID } from 'node:crypto';
import {
  type StoredClient,
  StoredConfiguration,
  type StoredRollout,
} from 'customer-data-api/clients';
import { idOf, isEqual, isPreview, readLastFieldId } from 'customer-data-api/configuration';
import type { Effect } from 'customer-data-api/effects';
import {
  readVersion,
  type StoredContent,
  type Version,
  type VersionsTable,
  writtenConfiguration,
  writtenFields,
} from 'customer-data-api/history';
import type { ConfigurationTables } from 'customer-data-api-deployment';
import { findClient, readExistingClient } from '../clients/configs-table.ts';
import { configurationConflict, isError, OperatorError } from '../errors.ts';
import { findBase } from './draft-base.ts';
import { returnedOptions } from './earlier-options.ts';
import { firstWithRollout, liveVersion } from './history.ts';
import {
  type Decisions,
  type MergedContent,
  mergeDecided,
  unknownDecisions,
} from './merge-fields.ts';
import { type ChangedId, giveNewIds, keptLastFieldId, liveOf } from './new-ids.ts';
import { changesSince } from './recent-changes.ts';
import {
  damageOf,
  isOutdated,
  type NewRollout,
  rolloutAttributes,
  runningRollout,
  type StartedRollout,
} from './rollouts.ts';
import {
  type PublishedContent,
  readChange,
  readExistingState,
  withFields,
} from './stored-configuration.ts';

/** A configuration that an operator wants to publish. */
export interface ContentDraft {
  readonly clientId: string;
  /** The digest of the content that the draft changes; undefined for a client without fields. */
  readonly base?: string | undefined;
  /** A field without an id gets the next one. */
  readonly fields: readonly unknown[];
  /** Can only raise the client's, unless that is implausible. */
  readonly lastFieldId?: number | undefined;
  /** The language of the fields' own texts; undefined for a client without one. */
  readonly language?: unknown;
  /** True to keep the changes of others since the base. */
  readonly merges?: boolean | undefined;
  /** True if it is of another deployment or client: it replaces what is live, and has no base. */
  readonly copies?: boolean | undefined;
  /** Decisions about what both sides changed. */
  readonly decisions?: Decisions;
  /** The rollout to start, instead of making the draft live. */
  readonly starts?: NewRollout;
  /** Discards the candidate of the rollout that runs. */
  readonly ends?: 'stop' | undefined;
  /** The version that it undoes: a field that this removed keeps its id. */
  readonly undoes?: number | undefined;
}

/** A version that an operator wants to be live again. */
export interface Restoration {
  readonly clientId: string;
  readonly restores: number;
  /** The digest of the content that the operator has seen; without it, any is replaced. */
  readonly base?: string;
  readonly ends?: 'stop' | undefined;
}

/** A version that an operator wants to undo, and none of those after it. */
export interface Undoing {
  readonly clientId: string;
  readonly undo: number;
  /** Decisions about what later versions changed, too. `mine`: as it was before the version. */
  readonly decisions?: Decisions;
  readonly ends?: 'stop' | undefined;
}

/** A change of the rollout that runs. */
export interface RolloutDraft {
  readonly clientId: string;
  /**
   * Its new share in percent, which a merge may leave as it is, or how it ends: its candidate
   * becomes live, or is discarded.
   */
  readonly rollout: number | 'finish' | 'stop';
  /** True to keep the changes of others since the candidate was made. */
  readonly merges?: boolean | undefined;
  /** Decisions about what both the candidate and others changed. */
  readonly decisions?: Decisions;
}

/** A change of a configuration before it is planned. */
export type Draft = ContentDraft | Restoration | Undoing | RolloutDraft;

/** The step that a plan takes. */
export type Step =
  | {
      /** Makes the configuration live. */
      readonly kind: 'publish';
      /** The version that it restores. */
      readonly restores?: number;
      /** The version that it undoes, and none after it. */
      readonly undoes?: number | undefined;
      /** The end of the rollout that runs: it discards the candidate, or makes it live. */
      readonly ends?: 'stop' | 'finish' | undefined;
      readonly rollout?: never;
    }
  | {
      /** Makes the configuration the candidate of a rollout, or gives it another share. */
      readonly kind: 'rollOut';
      readonly rollout: StartedRollout;
    }
  | {
      /** Discards the candidate of the rollout that runs. The configuration stays. */
      readonly kind: 'discard';
      readonly rollout?: never;
    };

/** A change of a configuration that waits for its confirmation. */
export interface Plan {
  readonly step: Step;
  readonly before: StoredClient;
  /** The configuration that the step makes live, or a candidate, or leaves as it is. */
  readonly after: StoredConfiguration<PublishedContent>;
  /**
   * Versions made since the draft's base, with changes that the draft lacks. None if what it has
   * is live, and its base is not.
   */
  readonly mergedWith?: readonly Version[];
  /** The fields of a copy that have other ids here. */
  readonly changedIds?: readonly ChangedId[];
  /** The effects that only the history tells: texts of options that had other values. */
  readonly returned?: readonly Effect[];
  /** The `lastFieldId` of the draft or the version, if it is lower than the one that stays. */
  readonly lowerId?: number;
  /** The rollout that the step discards, and the version that started it, if that is known. */
  readonly discards?: { readonly rollout: StoredRollout; readonly start: Version | undefined };
}

/** True if a step starts, changes or ends a rollout. */
export function concernsRollout(step: Step): boolean {
  return step.kind !== 'publish' || step.ends !== undefined;
}

/**
 * Plans what a draft changes.
 *
 * @throws OperatorError configurationConflict if the base is outdated and there is no merge, or the
 *   merge fails, and most other codes.
 */
export async function planDraft(tables: ConfigurationTables, draft: Draft): Promise<Plan> {
  const plan = await plannedFrom(tables, draft);
  const { before, after, step } = plan;
  // What nobody would get is refused before anybody is asked.
  if (step.rollout) rolloutAttributes(before, after.content, step.rollout);
  return plan;
}

function plannedFrom(tables: ConfigurationTables, draft: Draft): Promise<Plan> {
  if ('restores' in draft) return planRestoration(tables, draft);
  if ('undo' in draft) return planUndo(tables, draft);
  return 'rollout' in draft ? planRollout(tables, draft) : planContentDraft(tables, draft);
}

async function planContentDraft(tables: ConfigurationTables, draft: ContentDraft): Promise<Plan> {
  const { clientId, starts, ends, undoes } = draft;
  const before = await readExistingClient(tables, clientId);
  const damage = damageOf(before);
  if (starts && damage !== undefined) {
    throw new OperatorError('damagedRollout', { clientId, damage });
  }
  const content = await planContent(tables, before, draft);
  const ids = draft.fields.flatMap((field) => idOf(field) ?? []);
  const sides = [before.live, content.after] as const;
  const returned = await returnedOptions(tables, clientId, sides, ids);
  const plan = { ...content, ...(returned.length > 0 && { returned }) };
  // What is live already disturbs no rollout.
  if (starts || plan.after.written !== before.live.written) expectNoRollout(before, ends);
  const discards = starts || ends ? await discardedBy(tables, before) : {};
  if (!starts) return { ...plan, ...discards, step: { kind: 'publish', ends, undoes } };
  const devices = [...new Set(starts.devices)];
  const rollout = { ...starts, id: randomUUID(), devices };
  return { ...plan, ...discards, step: { kind: 'rollOut', rollout } };
}

/** Finds who started the rollout that a change discards: it may be of a colleague. */
async function discardedBy(
  table: VersionsTable,
  { clientId, rollout }: StoredClient,
): Promise<Pick<Plan, 'discards'>> {
  if (!rollout) return {};
  const isIt = (version: Version) => version.rollout?.id === rollout.id;
  return { discards: { rollout, start: await firstWithRollout(table, clientId, isIt) } };
}

async function planRollout(
  tables: ConfigurationTables,
  { clientId, rollout: to, merges, decisions }: RolloutDraft,
): Promise<Plan> {
  const before = await readExistingClient(tables, clientId);
  // Neither a stop nor another share writes the content. A damaged rollout can only be stopped.
  if (to === 'stop') {
    if (!before.rollout && !before.damage) {
      throw new OperatorError('noRollout', { clientId });
    }
    return { step: { kind: 'discard' }, before, after: before.live as Plan['after'] };
  }
  const rollout = runningRollout(before);
  const { id, devices, percent, candidate, base = before.live.digest } = rollout;
  const written = writtenConfiguration(candidate.content);
  const fields = writtenFields(candidate.content);
  const lastFieldId = readLastFieldId(written);
  const draft = { clientId, base, fields, lastFieldId, language: written.language, merges };
  const decided = { ...draft, ...(decisions && { decisions }) };
  const merge = () =>
    planContent(tables, before, decided, candidate).catch((error: unknown) => {
      if (!isError(error, 'configurationConflict')) throw error;
      throw new OperatorError(error.code, { ...error.facts, isOfCandidate: true });
    });
  if (to === 'finish') return { ...(await merge()), step: { kind: 'publish', ends: to } };
  // More devices would get back what others have corrected since.
  const needsMerge = merges || isOutdated(rollout, before.live);
  const { after, mergedWith } = needsMerge ? await merge() : {};
  const isMerged = after !== undefined && mergedWith !== undefined && mergedWith.length > 0;
  if (to < percent || (to === percent && !isMerged)) {
    throw new OperatorError('usage', { mistake: 'shareNotLarger', percent });
  }
  const step = { kind: 'rollOut', rollout: { id, devices, percent: to } } as const;
  const content = isMerged ? after : (candidate as Plan['after']);
  return { step, before, after: content, ...(mergedWith && { mergedWith }) };
}

/** @param candidate what the draft makes live: its ids were given when its rollout started. */
async function planContent(
  tables: ConfigurationTables,
  before: StoredClient,
  draft: ContentDraft,
  candidate?: StoredConfiguration,
): Promise<Omit<Plan, 'step'>> {
  const { mergedWith, language, base, ...drafted } = await currentContent(tables, before, draft);
  const asked = draft.lastFieldId;
  const undone =
    draft.undoes && (await readVersion(tables, before.clientId, draft.undoes - 1))?.content;
  const { fields, lastFieldId, changedIds } = await giveNewIds(tables, liveOf(before), {
    ...drafted,
    copies: draft.copies,
    base: [...base, ...[candidate?.content ?? {}, undone || {}].flatMap(writtenFields)],
    previewed: previewedIn(before),
    lastFieldId: asked,
  });
  return {
    before,
    after: withFields(before.live, fields, lastFieldId, language, candidate),
    ...(mergedWith && { mergedWith }),
    ...(changedIds.length > 0 && { changedIds }),
    ...(asked !== undefined && asked < lastFieldId && { lowerId: asked }),
  };
}

/** Lists the fields of the preview that runs: a draft that goes on from it has their ids. */
function previewedIn({ rollout }: StoredClient): readonly unknown[] {
  return rollout && isPreview(rollout) ? writtenFields(rollout.candidate.content) : [];
}

/** Undoes a version as a draft. That of what is live is the restoration of the one before it. */
async function planUndo(
  tables: ConfigurationTables,
  { clientId, undo, decisions = {}, ends }: Undoing,
): Promise<Plan> {
  const client = await readExistingClient(tables, clientId);
  const { digest, content } = client.live;
  const { version, before } = await readChange(tables, client, undo);
  const merged = mergeDecided(
    clientId,
    [mergedContent(version.content), mergedContent(before.content), mergedContent(content)],
    decisions,
    (conflicts, unknown = []) => ({ kind: 'changedLater', undoes: undo, conflicts, unknown }),
  );
  const live = await liveVersion(tables, { clientId, digest });
  return live?.version === undo
    ? planRestoration(tables, { clientId, restores: undo - 1, base: digest, ends })
    : planContentDraft(tables, { clientId, base: digest, ...merged, ends, undoes: undo });
}

/** Restores a version. The highest id ever assigned does not decrease, if it is plausible. */
async function planRestoration(
  tables: ConfigurationTables,
  { clientId, restores, base, ends }: Restoration,
): Promise<Plan> {
  const { live: version } = await readExistingState(tables, clientId, restores);
  const before = await findClient(tables, clientId);
  if (!before) throw new OperatorError('noSuchClient', { clientId, wasRemoved: true });
  expectNoRollout(before, ends);
  const { fields, language } = version.content;
  if (!fields?.L) {
    const isTooLarge = false;
    throw new OperatorError('versionWithoutFields', { clientId, version: restores, isTooLarge });
  }
  if (base !== undefined && base !== before.live.digest) {
    const since = await changesSince(tables, base, before);
    throw configurationConflict(clientId, { kind: 'changed', since });
  }
  const written = writtenConfiguration(version.content);
  const own = writtenFields(version.content);
  const restored = keptLastFieldId(written, own);
  const kept = keptLastFieldId(writtenConfiguration(before.live.content), own);
  const lastFieldId = Math.max(restored, kept);
  const after = new StoredConfiguration({
    fields,
    lastFieldId: { N: String(lastFieldId) },
    ...(language && { language }),
  });
  const step = { kind: 'publish', restores, ends } as const;
  const discards = ends ? await discardedBy(tables, before) : {};
  return { step, before, after, ...discards, ...(restored < lastFieldId && { lowerId: restored }) };
}

/**
 * Fails if a rollout runs, whose candidate is based on what is live, unless the change ends it. A
 * preview stays, and is merged before more devices get it.
 */
function expectNoRollout({ clientId, rollout }: StoredClient, ends?: 'stop'): void {
  if (rollout && !isPreview(rollout) && !ends) {
    throw new OperatorError('rolloutRunning', { clientId, percent: rollout.percent });
  }
}

/**
 * Returns the fields and the language of a draft, merged with the changes since its base, and the
 * fields of the base.
 */
async function currentContent(
  table: VersionsTable,
  before: StoredClient,
  draft: ContentDraft,
): Promise<{
  readonly fields: readonly unknown[];
  readonly base: readonly unknown[];
  readonly language: unknown;
  readonly mergedWith?: readonly Version[];
}> {
  const { fields, language, merges = false, copies = false, decisions = {} } = draft;
  const { clientId } = before;
  const theirs = mergedContent(before.live.content);
  const live = theirs.fields;
  const based = copies ? undefined : await findBase(table, before, draft);
  if (!based?.since) {
    const unknown = unknownDecisions(decisions, []);
    if (unknown.length > 0)
      throw configurationConflict(clientId, { kind: 'noConflict', unknown, conflicts: [] });
    if (!based?.isSame) return { fields, base: live, language };
    return { fields: live, base: live, language, mergedWith: [] };
  }
  const { original, since } = based;
  const earlier = mergedContent(original.content);
  const sides = [earlier, { fields, language }, theirs] as const;
  const merged = mergeDecided(clientId, sides, decisions, (conflicts, unknown) =>
    unknown ? { kind: 'noConflict', unknown, conflicts } : { kind: 'sameFields', since, conflicts },
  );
  const result = { ...merged, language: merged.language, base: earlier.fields };
  if (merges) return { ...result, mergedWith: since.versions };
  const isLive = isEqual(merged.fields, live) && isEqual(merged.language, theirs.language);
  const outcome = isLive ? 'needless' : 'possible';
  throw configurationConflict(clientId, { kind: 'changed', since, merge: outcome });
}

function mergedContent(content: StoredContent): MergedContent {
  return { fields: writtenFields(content), language: writtenConfiguration(content).language };
}

import {
  type Draft,
  type PlannedChange,
  planPublication,
} from '../../admin/configuration/plan-change.ts';
import {
  type ConfigurationTables,
  fileOf,
  readStored,
} from '../../admin/configuration/stored-configuration.ts';
import { ConfigurationConflict, type ConflictReason } from '../../admin/errors.ts';
import { readVersion } from '../../core/history/versions-table.ts';
import type { UserError } from '../../core/user-error.ts';
import { worded } from '../error-messages.ts';
import type { Call } from './call.ts';
import { FailedChange, json } from './responses.ts';
import { shownContent, shownReview } from './reviews.ts';
import { shownVersion } from './versions.ts';

/** Runs a handler. After a conflict, responds with both sides of it. */
export async function refusingConflicts(
  call: Call,
  draft: Draft | undefined,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    const conflict = error instanceof FailedChange ? error.cause : error;
    if (!(conflict instanceof ConfigurationConflict)) throw error;
    const { code, message } = worded(conflict) as UserError;
    const body = { error: { code, message, outcome: 'nothing' } };
    return json({ ...body, conflict: await shownConflict(call, draft, conflict) }, 412);
  }
}

/** A conflict with what the operator needs to go on: both sides, their base, and a merge. */
async function shownConflict(
  { caller: { tables }, clientId }: Call,
  draft: Draft | undefined,
  { reason }: ConfigurationConflict,
): Promise<object> {
  const since = 'since' in reason ? reason.since : undefined;
  const merge = draft && since ? await mergeOf(tables, draft) : undefined;
  const theirs = merge?.plan?.before ?? (await readStored(tables, clientId));
  const { clientId: _, ...shown } = fileOf(theirs);
  const original =
    draft && since && !since.base.isTooLarge
      ? await readVersion(tables, clientId, since.base.version)
      : undefined;
  const { kind, ...impossible } = merge?.reason ?? reason;
  return {
    kind,
    since: (since?.described ?? []).map(({ version, sentences }) => ({
      ...(version && { version: shownVersion(version) }),
      sentences,
    })),
    theirs: shown,
    ...(original && { original: shownContent(fileOf({ clientId, content: original.content })) }),
    ...(merge?.plan && { merged: shownReview(merge.plan, draft) }),
    ...('conflicts' in impossible && { conflicts: impossible.conflicts }),
  };
}

/** Plans to merge a draft with the live configuration, or tells why that is impossible. */
async function mergeOf(
  tables: ConfigurationTables,
  draft: Draft,
): Promise<{ readonly plan?: PlannedChange; readonly reason?: ConflictReason }> {
  try {
    return { plan: await planPublication(tables, draft, {}) };
  } catch (error) {
    if (!(error instanceof ConfigurationConflict)) throw error;
    return { reason: error.reason };
  }
}

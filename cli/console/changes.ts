import * as v from 'valibot';
import {
  type Draft,
  type PlannedChange,
  planPublication,
  planRollback,
} from '../../admin/configuration/plan-change.ts';
import { publish } from '../../admin/configuration/publish.ts';
import { changesSince } from '../../admin/configuration/recent-changes.ts';
import { reviewChange } from '../../admin/configuration/review-change.ts';
import {
  type ConfigurationTables,
  fileOf,
  readStored,
} from '../../admin/configuration/stored-configuration.ts';
import { waitForVersion } from '../../admin/configuration/wait-for-version.ts';
import { ConfigurationConflict, type ConflictReason } from '../../admin/errors.ts';
import type { ConfigsItem } from '../../core/client-attributes.ts';
import { contentDigest } from '../../core/history/content-digest.ts';
import { readVersion } from '../../core/history/versions-table.ts';
import { counted } from '../../core/text.ts';
import { UserError } from '../../core/user-error.ts';
import { check } from '../commands/config/check.ts';
import { diffConfigurations } from '../commands/config/diff.ts';
import { type ChangeProgress, progressAfter } from '../deployment/change-progress.ts';
import { expectCurrentRelease } from '../deployment/deployment.ts';
import { appsHaveItBy } from '../deployment/outputs.ts';
import { worded } from '../error-messages.ts';
import { suggested } from '../suggestion.ts';
import { type Call, readBase, readBody } from './call.ts';
import { FailedChange, json } from './responses.ts';
import { shownVersion } from './versions.ts';

const DraftBody = v.object({
  fields: v.array(v.unknown()),
  lastFieldId: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
  merge: v.exactOptional(
    v.object({ with: v.string(), keep: v.exactOptional(v.array(v.string())) }),
  ),
});

const ConfirmationBody = v.object({
  message: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(),
    v.check((text) => text.isWellFormed()),
  ),
  confirm: v.exactOptional(v.string()),
});

/** Reviews the publication of a draft. */
export async function reviewDraft(call: Call): Promise<Response> {
  const base = readBase(call);
  const { merge, ...body } = await readBody(call, DraftBody);
  const draft = { clientId: call.clientId, base, ...body };
  return refusingConflicts(call, draft, async () =>
    json(shownReview(await planPublication(call.caller.tables, draft, merge), draft)),
  );
}

/** Publishes a draft. */
export async function publishDraft(call: Call): Promise<Response> {
  const base = readBase(call);
  const body = await readBody(
    call,
    v.object({ ...DraftBody.entries, ...ConfirmationBody.entries }),
  );
  const { merge, message: _, confirm: __, ...content } = body;
  const draft = { clientId: call.clientId, base, ...content };
  return refusingConflicts(call, draft, () =>
    change(call, body, () => {
      const refusal = refusalOf(draft);
      if (refusal) throw new UserError(refusal, 'invalidConfiguration');
      return planPublication(call.caller.tables, draft, merge);
    }),
  );
}

/** Reviews the restoration of a version. */
export async function reviewRestoration(call: Call): Promise<Response> {
  return refusingConflicts(call, undefined, async () =>
    json(shownReview(await planRestoration(call))),
  );
}

/** Restores a version. */
export async function restoreVersion(call: Call): Promise<Response> {
  const confirmation = await readBody(call, ConfirmationBody);
  return refusingConflicts(call, undefined, () =>
    change(call, confirmation, () => planRestoration(call)),
  );
}

/** @throws ConfigurationConflict if the operator has seen another live configuration. */
async function planRestoration(call: Call): Promise<PlannedChange> {
  const { caller, clientId, version } = call;
  const base = readBase(call);
  const plan = await planRollback(caller.tables, clientId, version);
  if (contentDigest(plan.before.content) === base) return plan;
  const since = await changesSince(caller.tables, base, plan.before);
  throw new ConfigurationConflict(clientId, { kind: 'changed', since });
}

/**
 * Makes a change: plan, review, write, wait for its version.
 *
 * @throws FailedChange
 */
async function change(
  { caller, clientId }: Call,
  { message, confirm }: v.InferOutput<typeof ConfirmationBody>,
  makePlan: () => Promise<PlannedChange>,
): Promise<Response> {
  const { deployment, tables } = caller;
  const command = suggested('config', 'history', clientId);
  let progress: ChangeProgress = 'nothing';
  try {
    expectCurrentRelease(deployment);
    const plan = await makePlan();
    const { hasEffect, refusal, dangers } = reviewChange(plan);
    const base = contentDigest(plan.after);
    if (!hasEffect) return json({ hasEffect, base, command });
    if (refusal) throw new UserError(refusal, 'moreErrors');
    if (dangers.length > 0 && confirm !== clientId) {
      throw new UserError(`${dangers.join(' ')} Type ${clientId} to confirm.`, 'notConfirmed');
    }
    const by = await caller.author();
    progress = 'unknown';
    const lastChange = await publish(tables, plan, { by, message });
    progress = 'published';
    const version = await waitForVersion(tables, clientId, lastChange);
    const { at } = version ?? lastChange;
    return json({
      ...{ hasEffect, base, liveAt: appsHaveItBy(deployment.outputs, at).toISOString(), command },
      ...(version && { version: shownVersion(version) }),
    });
  } catch (error) {
    throw new FailedChange(error, progressAfter(error, progress));
  }
}

/** A review for the operator, who decides by it. */
function shownReview(plan: PlannedChange, draft?: Draft): object {
  const { clientId } = plan.before;
  const { before, after, hasEffect, changes, findings, refusal, dangers } = reviewChange(plan);
  const { lines } = diffConfigurations(
    { name: clientId, content: before },
    { name: `${clientId}.yaml`, content: after },
  );
  const merges = plan.mergedWith ? ['--merge'] : [];
  const words =
    plan.restores === undefined
      ? ['publish', `${clientId}.yaml`, ...merges]
      : ['rollback', `${clientId}@${plan.restores}`];
  return {
    ...{ before: shownContent(before), after: shownContent(after), hasEffect, changes, lines },
    ...{ findings, dangers, refusal: (draft && refusalOf(draft)) ?? refusal },
    ...(plan.mergedWith && { mergedWith: plan.mergedWith.map(shownVersion) }),
    command: suggested('config', ...words, '-m', 'MESSAGE'),
  };
}

function shownContent({ fields, lastFieldId }: ConfigsItem): object {
  return { fields, lastFieldId };
}

/** Says why a draft cannot be published, by the rules for a file: undefined if it can. */
function refusalOf({ base: _, ...draft }: Draft): string | undefined {
  const errors = check(draft).filter(({ severity }) => severity === 'error');
  return errors.length > 0 ? `The draft has ${counted(errors.length, 'error')}.` : undefined;
}

/** Runs a handler. After a conflict, responds with both sides of it. */
async function refusingConflicts(
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

import * as v from 'valibot';
import {
  type PlannedChange,
  planPublication,
  planRollback,
} from '../../admin/configuration/plan-change.ts';
import { publish } from '../../admin/configuration/publish.ts';
import { changesSince } from '../../admin/configuration/recent-changes.ts';
import { reviewChange } from '../../admin/configuration/review-change.ts';
import { fileOf, readStored } from '../../admin/configuration/stored-configuration.ts';
import { waitForVersion } from '../../admin/configuration/wait-for-version.ts';
import { ConfigurationConflict } from '../../admin/errors.ts';
import type { Conflict, Outcome, Review } from '../../console/src/types.ts';
import { contentDigest } from '../../core/history/content-digest.ts';
import { UserError } from '../../core/user-error.ts';
import { type ChangeProgress, progressAfter } from '../deployment/change-progress.ts';
import { expectCurrentRelease } from '../deployment/deployment.ts';
import { appsHaveItBy } from '../deployment/outputs.ts';
import { worded } from '../error-messages.ts';
import { type Call, readBase, readBody } from './call.ts';
import { FailedChange, json } from './responses.ts';
import { refusalOf, shownReview } from './reviews.ts';
import { shownVersion } from './versions.ts';

const DraftBody = v.object({
  fields: v.array(v.unknown()),
  lastFieldId: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
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
  const draft = {
    clientId: call.clientId,
    base: readBase(call),
    ...(await readBody(call, DraftBody)),
  };
  return refusingConflicts(call, async () =>
    json<Review>(shownReview(await planPublication(call.caller.tables, draft), draft)),
  );
}

/** Publishes a draft. */
export async function publishDraft(call: Call): Promise<Response> {
  const base = readBase(call);
  const body = await readBody(
    call,
    v.object({ ...DraftBody.entries, ...ConfirmationBody.entries }),
  );
  const { message: _, confirm: __, ...content } = body;
  const draft = { clientId: call.clientId, base, ...content };
  return change(call, body, () => {
    const refusal = refusalOf(draft);
    if (refusal) throw new UserError(refusal, 'invalidConfiguration');
    return planPublication(call.caller.tables, draft);
  });
}

/** Reviews the restoration of a version. */
export async function reviewRestoration(call: Call): Promise<Response> {
  return refusingConflicts(call, async () =>
    json<Review>(shownReview(await planRestoration(call))),
  );
}

/** Restores a version. */
export async function restoreVersion(call: Call): Promise<Response> {
  return change(call, await readBody(call, ConfirmationBody), () => planRestoration(call));
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
  call: Call,
  { message, confirm }: v.InferOutput<typeof ConfirmationBody>,
  makePlan: () => Promise<PlannedChange>,
): Promise<Response> {
  const { caller, clientId } = call;
  const { deployment, tables } = caller;
  let progress: ChangeProgress = 'nothing';
  return refusingConflicts(call, async () => {
    try {
      expectCurrentRelease(deployment);
      const plan = await makePlan();
      const { hasEffect, refusal, dangers } = reviewChange(plan);
      if (!hasEffect) return json<Outcome>({ hasEffect });
      if (refusal) throw new UserError(refusal, 'moreErrors');
      if (dangers.length > 0 && confirm !== clientId) {
        throw new UserError(`${dangers.join(' ')} Type ${clientId} to confirm.`, 'notConfirmed');
      }
      const by = await caller.author();
      progress = 'unknown';
      const lastChange = await publish(tables, plan, { by, message });
      progress = 'published';
      const version = await waitForVersion(tables, clientId, lastChange);
      const liveAt = appsHaveItBy(deployment.outputs, (version ?? lastChange).at).toISOString();
      return json<Outcome>({
        hasEffect,
        liveAt,
        ...(version && { version: shownVersion(version) }),
      });
    } catch (error) {
      throw new FailedChange(error, progressAfter(error, progress));
    }
  });
}

/** Runs a handler. After a conflict, responds with what others have published. */
async function refusingConflicts(
  { caller: { tables }, clientId }: Call,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    const conflict = error instanceof FailedChange ? error.cause : error;
    if (!(conflict instanceof ConfigurationConflict)) throw error;
    const { clientId: _, ...theirs } = fileOf(await readStored(tables, clientId));
    const described = 'since' in conflict.reason ? conflict.reason.since.described : [];
    const since = described.map(({ version, sentences }) => ({
      ...(version && { version: shownVersion(version) }),
      ...(sentences && { sentences }),
    }));
    const { code, message } = worded(conflict) as UserError;
    const shown: Conflict = { theirs, since };
    return json({ error: { code, message, outcome: 'nothing' }, conflict: shown }, 412);
  }
}

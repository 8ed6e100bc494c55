import * as v from 'valibot';
import {
  type PlannedChange,
  planPublication,
  planRollback,
} from '../../admin/configuration/plan-change.ts';
import { publish } from '../../admin/configuration/publish.ts';
import { changesSince } from '../../admin/configuration/recent-changes.ts';
import { reviewChange } from '../../admin/configuration/review-change.ts';
import { waitForVersion } from '../../admin/configuration/wait-for-version.ts';
import { ConfigurationConflict } from '../../admin/errors.ts';
import { contentDigest } from '../../core/history/content-digest.ts';
import { UserError } from '../../core/user-error.ts';
import { type ChangeProgress, progressAfter } from '../deployment/change-progress.ts';
import { expectCurrentRelease } from '../deployment/deployment.ts';
import { appsHaveItBy } from '../deployment/outputs.ts';
import { suggested } from '../suggestion.ts';
import { type Call, readBase, readBody } from './call.ts';
import { refusingConflicts } from './conflicts.ts';
import { FailedChange, json } from './responses.ts';
import { refusalOf, shownReview } from './reviews.ts';
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

import { contentDigest } from 'customer-data-api/history';
import { expectCurrentRelease } from 'customer-data-api-deployment';
import { appsHaveItBy } from 'customer-data-api-deployment/outputs';
import { suggested, UserError } from 'customer-data-api-deployment/program';
import {
  type ChangeProgress,
  ConfigurationConflict,
  changesSince,
  type PlannedChange,
  planPublication,
  planRollback,
  progressAfter,
  publish,
  waitForVersion,
} from 'customer-data-api-operator';
import * as v from 'valibot';
import type { Outcome, Review } from '../page/src/types.ts';
import { type Call, clientIdOf, readBase, readBody } from './call.ts';
import { failureOf } from './failures.ts';
import { reviewInBackground } from './review-in-background.ts';
import { shownVersion } from './versions.ts';

/** A change of a configuration: a draft, or the version to restore. */
const Change = v.union([
  v.object({ fields: v.array(v.unknown()) }),
  v.object({ restores: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) }),
]);
type Change = v.InferOutput<typeof Change>;

const ConfirmedChange = v.object({
  change: Change,
  message: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(),
    v.check((text) => text.isWellFormed()),
  ),
  /** The id of the client, if there are dangers. */
  confirm: v.exactOptional(v.string()),
});

/** Reviews a change. */
export async function reviewChange(call: Call): Promise<Response> {
  const { change } = await readBody(call, v.object({ change: Change }));
  return Response.json(await reviewOf(await planOf(call, change), change));
}

/** Publishes a change: plan, review, write, wait for its version. */
export async function publishChange(call: Call): Promise<Response> {
  const { deployment, tables, author } = call.env;
  const clientId = clientIdOf(call);
  let progress: ChangeProgress = 'nothing';
  try {
    const { change, message, confirm } = await readBody(call, ConfirmedChange);
    expectCurrentRelease(deployment);
    const plan = await planOf(call, change);
    const { hasEffect, refusal, dangers } = await reviewOf(plan, change);
    if (!hasEffect) return Response.json({ hasEffect } satisfies Outcome);
    if (refusal !== undefined) throw new UserError(refusal, 'invalidConfiguration');
    if (dangers.length > 0 && confirm !== clientId) {
      throw new UserError(`${dangers.join(' ')} Type ${clientId} to confirm.`, 'notConfirmed');
    }
    const by = await author();
    progress = 'unknown';
    const lastChange = await publish(tables, plan, { by, message });
    progress = 'published';
    const version = await waitForVersion(tables, clientId, lastChange);
    const liveAt = appsHaveItBy(deployment.outputs, (version ?? lastChange).at).toISOString();
    const outcome = { hasEffect, liveAt, ...(version && { version: shownVersion(version) }) };
    return Response.json(outcome satisfies Outcome);
  } catch (error) {
    return failureOf(error, call, progressAfter(error, progress));
  }
}

/** @throws ConfigurationConflict if the operator has seen another live configuration. */
async function planOf(call: Call, change: Change): Promise<PlannedChange> {
  const { tables } = call.env;
  const clientId = clientIdOf(call);
  const base = readBase(call);
  if (!('restores' in change)) return planPublication(tables, { clientId, base, ...change });
  const plan = await planRollback(tables, clientId, change.restores);
  if (contentDigest(plan.before.content) === base) return plan;
  const since = await changesSince(tables, base, plan.before);
  throw new ConfigurationConflict(clientId, { kind: 'changed', since });
}

/** Reviews a change for the operator, who decides by it. */
async function reviewOf(plan: PlannedChange, change: Change): Promise<Review> {
  const { clientId } = plan.before;
  const isDraft = 'fields' in change;
  const words = isDraft
    ? ['publish', `${clientId}.yaml`]
    : ['rollback', `${clientId}@${change.restores}`];
  const review = await reviewInBackground(plan, isDraft ? change.fields : undefined);
  return { ...review, command: suggested('config', ...words, '-m', 'MESSAGE') };
}

import { expectCurrentRelease } from 'customer-data-api-deployment';
import { appsHaveItBy } from 'customer-data-api-deployment/outputs';
import { suggested, UserError } from 'customer-data-api-deployment/program';
import { type Plan, planChange, publish } from 'customer-data-api-operator';
import * as v from 'valibot';
import type { Outcome, Review } from '../page/src/types.ts';
import { type Call, clientIdOf, readBase, readBody } from './call.ts';
import { reviewInBackground } from './review-in-background.ts';
import { shownVersion } from './versions.ts';

/** A change of a configuration: a draft, or the version to restore. */
const Change = v.union([
  v.object({ fields: v.array(v.unknown()), language: v.optional(v.unknown()) }),
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
  const plan = await planChange(call.env.tables, changeOf(call, change));
  return Response.json(await reviewOf(plan, change));
}

/** Publishes a change. */
export async function publishChange(call: Call): Promise<Response> {
  const { deployment, tables, author } = call.env;
  const { change, message, confirm } = await readBody(call, ConfirmedChange);
  expectCurrentRelease(deployment);
  const { review, lastChange, version } = await publish(tables, changeOf(call, change), {
    review: (plan) => reviewOf(plan, change),
    approve: async ({ before: { clientId } }, { refusal, dangers }) => {
      if (refusal !== undefined) throw new UserError(refusal, 'invalidConfiguration');
      if (dangers.length > 0 && confirm !== clientId) {
        throw new UserError(`${dangers.join(' ')} Type ${clientId} to confirm.`, 'notConfirmed');
      }
      return { by: await author(), message };
    },
  });
  const { hasEffect } = review;
  if (!lastChange) return Response.json({ hasEffect } satisfies Outcome);
  const liveAt = appsHaveItBy(deployment.outputs, (version ?? lastChange).at).toISOString();
  const outcome = { hasEffect, liveAt, ...(version && { version: shownVersion(version) }) };
  return Response.json(outcome satisfies Outcome);
}

/** A change of what the operator has seen. */
function changeOf(call: Call, change: Change) {
  return { clientId: clientIdOf(call), base: readBase(call), ...change };
}

/** Reviews a change for the operator, who decides by it. */
async function reviewOf(plan: Plan, change: Change): Promise<Review> {
  const { clientId } = plan.before;
  const isDraft = 'fields' in change;
  const words = isDraft
    ? ['publish', `${clientId}.yaml`]
    : ['rollback', `${clientId}@${change.restores}`];
  const review = await reviewInBackground(plan, isDraft ? change : undefined);
  return { ...review, command: suggested('config', ...words, '-m', 'MESSAGE') };
}

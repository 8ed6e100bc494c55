import { expectCurrentRelease } from 'customer-data-api-deployment';
import { appsHaveItBy } from 'customer-data-api-deployment/outputs';
import { suggested, UserError } from 'customer-data-api-deployment/program';
import {
  ClientConflict,
  expectQuietAlarms,
  type Plan,
  type Publication,
  planChange,
  publish,
  waitWhileQuiet,
} from 'customer-data-api-operator';
import * as v from 'valibot';
import { reviewInBackground } from './background.ts';
import { type Call, clientIdOf, Message, readBase, readBody } from './call.ts';
import { expectSeen, Percent, Start, startOf } from './rollout.ts';
import { shownVersion } from './versions.ts';

/** A draft, the version to restore, or a change of the rollout that the operator has seen. */
const Change = v.union([
  v.object({ fields: v.array(v.unknown()), language: v.optional(v.unknown()) }),
  v.object({ restores: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) }),
  v.object({ id: v.string(), rollout: v.literal('stop') }),
  v.object({
    id: v.string(),
    rollout: v.union([v.literal('finish'), Percent]),
    /** The digest of the candidate. */
    digest: v.string(),
  }),
]);
type Change = v.InferOutput<typeof Change>;

const ConfirmedChange = v.object({
  change: Change,
  message: Message,
  /** The id of the client, if the change harms it. */
  confirm: v.exactOptional(v.string()),
  /** Starts a rollout of a draft instead of making it live. */
  starts: v.exactOptional(Start),
});

/** Reviews a change. */
export async function reviewChange(call: Call) {
  const { change } = await readBody(call, v.object({ change: Change }));
  const plan = await planChange(call.env.tables, changeOf(call, change));
  return reviewOf(call, plan, change);
}

/** Publishes a change. */
export async function publishChange(call: Call) {
  const { deployment, tables, author } = call.env;
  const { change, message, confirm, starts } = await readBody(call, ConfirmedChange);
  expectCurrentRelease(deployment);
  const { review, lastChange, version } = await publish(
    tables,
    { ...changeOf(call, change), ...(starts && { starts }) },
    {
      review: (plan) => reviewOf(call, plan, change),
      approve: async (plan, { refusal, harm }) => {
        const { clientId } = plan.before;
        if (refusal !== undefined) throw new UserError(refusal, 'invalidConfiguration');
        if (harm.length > 0 && confirm !== clientId) {
          throw new UserError(`${harm.join(' ')} Type ${clientId} to confirm.`, 'notConfirmed');
        }
        await expectQuietAlarms(deployment, plan);
        return { by: await author(), message };
      },
      wait: (plan, recorded, { by }) => waitWhileQuiet(tables, deployment, plan, by, recorded),
    },
  );
  const { hasEffect } = review;
  const at = lastChange && (version ?? lastChange).at;
  return {
    hasEffect,
    ...(at !== undefined && { liveAt: appsHaveItBy(deployment.outputs, at).toISOString() }),
    ...(version && { version: shownVersion(version) }),
  };
}

/** A change of what the operator has seen. */
function changeOf(call: Call, change: Change): Publication {
  const clientId = clientIdOf(call);
  // What was edited while it ran is shown, and merged.
  if ('id' in change) return { clientId, rollout: change.rollout, merges: true };
  return { clientId, base: readBase(call), ...change };
}

/** Reviews a change for the operator, who decides by it. */
async function reviewOf(call: Call, plan: Plan, change: Change) {
  const { before, mergedWith } = plan;
  const { clientId } = before;
  const isDraft = 'fields' in change;
  if ('id' in change) {
    expectSeen(before, change);
    const isSeen = change.rollout !== 'finish' || before.digest === readBase(call);
    if (!isSeen) throw new ClientConflict(clientId, 'item');
  }
  const words = isDraft
    ? ['config', 'publish', `${clientId}.yaml`]
    : 'restores' in change
      ? ['config', 'rollback', `${clientId}@${change.restores}`]
      : ['rollout', 'finish', clientId, ...(mergedWith ? ['--merge'] : [])];
  const review = await reviewInBackground(plan, isDraft ? change : undefined);
  const command = suggested(...words, '-m', 'MESSAGE');
  return { ...review, command, ...(isDraft && { start: startOf(call, clientId) }) };
}

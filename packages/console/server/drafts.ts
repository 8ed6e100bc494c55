import { isPreview } from 'customer-data-api/configuration';
import { type Version, writtenFields } from 'customer-data-api/history';
import { effectSentence, joined, say } from 'customer-data-api/sentences';
import { expectCurrentRelease } from 'customer-data-api-deployment';
import { appsHaveItBy } from 'customer-data-api-deployment/outputs';
import { UserError } from 'customer-data-api-deployment/program';
import { readExistingClient } from 'customer-data-api-editor/clients';
import {
  type Draft,
  type Plan,
  publication,
  waitForVersion,
} from 'customer-data-api-editor/configurations';
import { messageOf } from 'customer-data-api-editor/error-messages';
import { OperatorError } from 'customer-data-api-editor/errors';
import * as v from 'valibot';
import { type Call, clientIdOf, Message, readBase, readBody } from './call.ts';
import { reviewForPage } from './review.ts';
import { expectSeen, expectShown, Percent, Start } from './rollout.ts';
import { versionAnswer } from './versions.ts';

/* An unknown attribute is refused: an operator who sends what is ignored gets something else. */

const VersionNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const Fields = v.strictObject({
  fields: v.array(v.unknown()),
  language: v.optional(v.unknown()),
  /** The version that the draft undoes. */
  undoes: v.exactOptional(VersionNumber),
});

/** The version to restore, or what becomes of the rollout that the operator has seen. */
const StoredDraft = v.union([
  v.strictObject({ restores: VersionNumber }),
  /** A stop, also if its candidate has changed since. */
  v.strictObject({ id: v.string(), rollout: v.literal('stop'), digest: v.optional(v.string()) }),
  v.strictObject({
    id: v.string(),
    rollout: v.union([v.literal('finish'), Percent]),
    /** The digest of the candidate. */
    digest: v.string(),
    /** Merges the candidate with what is live, as a finish does. */
    merges: v.exactOptional(v.literal(true)),
  }),
]);
const RequestedDraft = v.union([Fields, StoredDraft]);
type RequestedDraft = v.InferOutput<typeof RequestedDraft>;

const CONFIRMATION = {
  message: Message,
  /** The id of the client, if the change harms it. */
  confirm: v.exactOptional(v.string()),
  /** The id by which the page asks for it if the answer is lost. */
  id: v.exactOptional(v.pipe(v.string(), v.uuid())),
};

/** `starts` starts a rollout of a draft instead of making it live. */
const ConfirmedDraft = v.union([
  v.strictObject({ draft: StoredDraft, ...CONFIRMATION, starts: v.optional(v.undefined()) }),
  v.strictObject({ draft: Fields, ...CONFIRMATION, starts: v.exactOptional(Start) }),
]);

/** Answers with the review of a draft. */
export async function showReview(call: Call) {
  const { draft } = await readBody(call, v.strictObject({ draft: RequestedDraft }));
  const { review } = await publicationOf(call, draft).show(call.env);
  const { refusal, ...shown } = review;
  const clientId = clientIdOf(call);
  const why = refusal && new OperatorError(refusal.code, { clientId, refusal });
  return { ...shown, ...(why && { refusal: messageOf(why) }) };
}

/** Publishes a draft. */
export async function publishDraft(call: Call) {
  const { deployment, author } = call.env;
  const { draft, message, confirm, starts, id } = await readBody(call, ConfirmedDraft);
  expectCurrentRelease(deployment);
  const { show, apply } = publicationOf(call, draft, starts, { message, id });
  const shown = await show(call.env);
  const { hasEffect, review, typed, failure } = shown;
  if (failure) throw failure;
  if (hasEffect && typed !== undefined && confirm !== typed) {
    const harm = review.harm.map((one) => effectSentence(one));
    throw new UserError([joined([...harm, say`Type ${typed} to confirm.`], ' ')], 'notConfirmed');
  }
  const done = hasEffect ? await apply(call.env, shown, await author()) : undefined;
  if (done?.failure) throw done.failure;
  const at = done && (done.version ?? done.lastChange).at;
  const live = at !== undefined && liveSince(call, at, done?.version);
  return { hasEffect, ...previewedBy(shown.plan), ...live };
}

/** The time in which a change that runs is made. */
const RUNS_MS = 3000;

/** Tells whether a change was published whose answer the page did not get. */
export async function showPublication(call: Call) {
  const { tables } = call.env;
  const clientId = clientIdOf(call);
  const id = call.req.param('id') ?? '';
  const version = await waitForVersion(tables, clientId, { id }, undefined, RUNS_MS);
  const { lastChange } = await readExistingClient(tables, clientId);
  const at = version?.at ?? (lastChange?.id === id ? lastChange.at : undefined);
  return at === undefined ? {} : { outcome: { hasEffect: true, ...liveSince(call, at, version) } };
}

function liveSince(call: Call, at: string, version: Version | undefined) {
  return {
    liveAt: appsHaveItBy(call.env.deployment.outputs, at).toISOString(),
    ...(version && { version: versionAnswer(version) }),
  };
}

/** Shows the draft of a preview with the ids of its fields, with which the operator goes on. */
function previewedBy({ step, after }: Plan): { readonly previewed?: readonly unknown[] } {
  if (step.kind !== 'rollOut' || !isPreview(step.rollout)) return {};
  return { previewed: writtenFields(after.content) };
}

/** Returns the publication of a draft, which the operator reviews or has confirmed. */
function publicationOf(
  call: Call,
  requested: RequestedDraft,
  starts?: v.InferOutput<typeof Start>,
  reason: Parameters<typeof publication>[2] = {},
) {
  const wanted = () => ({ ...draftOf(call, requested), ...(starts && { starts }) });
  const review = (plan: Plan) => {
    if (starts) expectShown(plan.before, starts);
    return reviewDraft(call, plan, requested);
  };
  return publication(wanted, review, reason);
}

/** Returns a draft of what the operator has seen. */
function draftOf(call: Call, requested: RequestedDraft): Draft {
  const clientId = clientIdOf(call);
  if ('id' in requested)
    return { clientId, rollout: requested.rollout, merges: isMerge(requested) };
  return { clientId, base: readBase(call), ...requested };
}

/** True for a draft that adds to the candidate what was published beside it, which is shown. */
function isMerge(requested: RequestedDraft): boolean {
  return (
    'id' in requested &&
    (requested.rollout === 'finish' || ('merges' in requested && !!requested.merges))
  );
}

/** Reviews a draft for the operator, who decides by that. */
function reviewDraft(call: Call, plan: Plan, requested: RequestedDraft) {
  const { before } = plan;
  const { clientId } = before;
  if ('id' in requested) {
    expectSeen(before, requested.rollout === 'stop' ? { id: requested.id } : requested);
    const isSeen = !isMerge(requested) || before.live.digest === readBase(call);
    if (!isSeen) throw new OperatorError('conflict', { clientId, part: 'item' });
  }
  return reviewForPage(plan, 'fields' in requested ? requested : undefined);
}

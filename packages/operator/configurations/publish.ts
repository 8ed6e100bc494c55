import { type LastChange, newLastChange } from 'customer-data-api/clients';
import { CONTENT, type Version } from 'customer-data-api/history';
import { callOf } from 'customer-data-api-deployment';
import { type Authorship, updateClient } from '../clients/configs-table.ts';
import { ClientConflict, ConfigurationConflict, NoRollout, StoppedAtStart } from '../errors.ts';
import { type Plan, type Publication, planChange } from './plan-change.ts';
import { changesSince } from './recent-changes.ts';
import type { Review } from './review-change.ts';
import { discardCandidate, NO_ROLLOUT, rolloutAttributes } from './rollouts.ts';
import { type ConfigurationTables, readStored } from './stored-configuration.ts';
import { waitForVersion } from './wait-for-version.ts';

/** What the caller of a publication does in it. An error stops it. */
interface PublicationSteps<TReview extends Pick<Review, 'hasEffect' | 'refusal'>> {
  /** Reviews the plan, and may show it. */
  readonly review: (plan: Plan) => TReview | Promise<TReview>;
  /** Shows a plan that has an effect, and asks. Nothing is written without an approval. */
  readonly approve: (plan: Plan, review: TReview) => Promise<Authorship | undefined>;
  /** Waits while the change, which is live, is recorded. By default, it only waits. */
  readonly wait?: (
    plan: Plan,
    recorded: () => Promise<Version | undefined>,
    change: LastChange,
  ) => Promise<Version | undefined>;
}

/** How far a publication has come: nothing is live, perhaps it is, or it is published. */
type Progress = 'nothing' | 'unknown' | 'published';

/** A publication that an error has stopped, which is the `cause`. */
export class StoppedPublication extends Error {
  readonly clientId: string;
  readonly progress: Progress;

  constructor(clientId: string, progress: Progress, cause: unknown) {
    super('', { cause });
    this.clientId = clientId;
    // DynamoDB may have refused the write.
    const isNothing =
      cause instanceof StoppedAtStart || (progress === 'unknown' && isRefused(cause));
    this.progress = isNothing ? 'nothing' : progress;
  }
}

/**
 * Publishes a draft or, again, a version, or changes a rollout: plan, review, ask, write, wait.
 * What its review refuses is not written, whoever approves it.
 *
 * @returns the plan and its review and, after a change, its `lastChange` and its version, which is
 *   undefined if it was not recorded within half a minute.
 * @throws StoppedPublication.
 */
export async function publish<TReview extends Pick<Review, 'hasEffect' | 'refusal'>>(
  tables: ConfigurationTables,
  change: Publication,
  steps: PublicationSteps<TReview>,
) {
  const { clientId } = change;
  let progress: Progress = 'nothing';
  try {
    const plan = await planChange(tables, change);
    const review = await steps.review(plan);
    const approval = review.hasEffect ? await steps.approve(plan, review) : undefined;
    if (!approval || review.refusal !== undefined) return { plan, review };
    progress = 'unknown';
    const lastChange = await write(tables, plan, approval);
    progress = 'published';
    const recorded = () => waitForVersion(tables, clientId, lastChange);
    const version = await (steps.wait?.(plan, recorded, lastChange) ?? recorded());
    return { plan, review, lastChange, version };
  } catch (error) {
    throw new StoppedPublication(clientId, progress, error);
  }
}

/**
 * Writes a planned change in one call, if the content has not changed since the plan was made.
 * Nothing else in the item changes.
 *
 * @throws ConfigurationConflict if the content has changed since. If the changes cannot be read,
 *   throws the error of the read with DynamoDB's refusal as its cause.
 */
async function write(
  tables: ConfigurationTables,
  { before, after, restores, starts, ends }: Plan,
  { by, message }: Authorship,
): Promise<LastChange> {
  const { clientId, content, rollout } = before;
  if (after === before) return await discardCandidate(tables, before, { by, message });
  const lastChange = newLastChange({ by, message, ...(restores && { restores }) });
  const refusal = await updateClient(tables, clientId, lastChange, {
    set: starts
      ? rolloutAttributes(before, after.content, starts)
      : { language: undefined, ...after.content, ...(ends && NO_ROLLOUT) },
    unchanged: { ...Object.fromEntries(CONTENT.map((name) => [name, content[name]])), rollout },
  });
  if (!refusal) return lastChange;
  try {
    const since = await changesSince(tables, before.digest, await readStored(tables, clientId));
    throw new ConfigurationConflict(clientId, { kind: 'changed', since });
  } catch (error) {
    throw Object.assign(error as Error, { cause: refusal });
  }
}

/** True if DynamoDB refused the write, and no earlier attempt can have made it. */
function isRefused(error: unknown): boolean {
  if (error instanceof NoRollout || error instanceof ClientConflict) return true;
  // A read after a refused write may have failed, too.
  const { cause } = error as { cause?: unknown };
  return [error, cause].some((one) => {
    if (!(one instanceof Error) || !callOf(one)?.startsWith('dynamodb:UpdateItem')) return false;
    const { $metadata } = one as { $metadata?: { httpStatusCode?: number; attempts?: number } };
    const { httpStatusCode = 0, attempts } = $metadata ?? {};
    return attempts === 1 && httpStatusCode >= 400 && httpStatusCode < 500;
  });
}

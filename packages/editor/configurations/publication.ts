import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { LastChange, StoredClient } from 'customer-data-api/clients';
import { harmIn } from 'customer-data-api/effects';
import { CONTENT, type Version } from 'customer-data-api/history';
import { type ConfigurationTables, callOf } from 'customer-data-api-deployment';
import type { Change, Context, Done, Shown } from 'customer-data-api-deployment/change';
import {
  type Attributes,
  type Authorship,
  changeClient,
  hasAttributes,
} from '../clients/change-client.ts';
import { readExistingClient } from '../clients/configs-table.ts';
import { configurationConflict, isError, OperatorError } from '../errors.ts';
import { waitForVersion } from './history.ts';
import { type Draft, type Plan, planDraft } from './plan-draft.ts';
import { changesSince } from './recent-changes.ts';
import type { Review } from './review-plan.ts';
import { rolloutAttributes, withoutRollout } from './rollouts.ts';

/** The place where something is published. */
export interface PublicationContext extends Context {
  /** Runs once the change is live, before its version is awaited. Must not fail. */
  readonly onLive?: (plan: Plan) => Promise<void>;
  /** Ends the wait for the version. */
  readonly signal?: AbortSignal;
}

/** The effect of a publication. Its `failure` is the refusal of its review. */
export interface ShownPublication<TReview> extends Shown {
  readonly plan: Plan;
  readonly review: TReview;
  readonly hasEffect: boolean;
}

/** A publication that was made. Its `failure` is a StoppedPublication. */
export interface DonePublication extends Done {
  readonly lastChange: LastChange;
  /** Undefined if it was not recorded within half a minute. */
  readonly version?: Version | undefined;
}

/** The reason of a publication, and the id by which its maker asks for it after a lost answer. */
interface Reason {
  readonly message?: string;
  readonly id?: string | undefined;
}

/** The progress of a publication: nothing is live, perhaps it is, or it is published. */
type Progress = 'nothing' | 'unknown' | 'published';

/** A publication that an error has stopped, which is the `cause`. */
export class StoppedPublication extends Error {
  readonly clientId: string;
  readonly progress: Progress;

  constructor(clientId: string, progress: Progress, cause: unknown) {
    super('', { cause });
    this.clientId = clientId;
    this.progress = progress;
  }
}

/**
 * Publishes a draft or, again, a version, or changes a rollout: plans and reviews it, writes it,
 * and waits for its version. Nothing is written that the review refuses.
 *
 * @param read reads what to publish.
 * @throws StoppedPublication from `apply` if the write fails.
 */
export function publication<TReview extends Pick<Review, 'hasEffect' | 'refusal' | 'effects'>>(
  read: (tables: ConfigurationTables) => Draft | Promise<Draft>,
  review: (plan: Plan) => TReview,
  { message = '', id }: Reason,
): Change<ShownPublication<TReview>, DonePublication, PublicationContext> {
  return {
    async show({ tables }) {
      const plan = await planDraft(tables, await read(tables));
      const reviewed = review(plan);
      const { hasEffect, refusal, effects } = reviewed;
      const { clientId } = plan.before;
      const failure =
        hasEffect && refusal ? new OperatorError(refusal.code, { clientId, refusal }) : undefined;
      const typed = harmIn(effects).length > 0 ? clientId : undefined;
      return { plan, review: reviewed, hasEffect, typed, failure };
    },
    async apply({ tables, onLive, signal }, { plan, failure: refusal }, by) {
      const { clientId } = plan.before;
      if (refusal) throw refusal;
      const authorship = { by, message, ...(id !== undefined && { id }) };
      const lastChange = await write(tables, plan, authorship).catch((error: unknown) => {
        throw new StoppedPublication(clientId, isRefused(error) ? 'nothing' : 'unknown', error);
      });
      try {
        await onLive?.(plan);
        const version = await waitForVersion(tables, clientId, lastChange, signal);
        return { lastChange, version };
      } catch (error) {
        return { lastChange, failure: new StoppedPublication(clientId, 'published', error) };
      }
    },
  };
}

/**
 * Writes a planned change in one call, if the content has not changed since the plan was made.
 * Nothing else in the item changes.
 *
 * @throws OperatorError configurationConflict if the content has changed since. If the changes
 *   cannot be read, throws the error of the read. Both have as their cause why it was not written.
 */
async function write(
  tables: ConfigurationTables,
  plan: Plan,
  authorship: Authorship,
): Promise<LastChange> {
  const { step, before } = plan;
  const { clientId } = before;
  const restores = step.kind === 'publish' && step.restores;
  const stamp = { ...authorship, ...(restores && { restores }) };
  try {
    return await changeClient(tables, clientId, stamp, (now) => attributesAfter(plan, now));
  } catch (refusal) {
    const isChanged = isError(refusal, 'conflict') && refusal.facts.part === 'content';
    if (!isChanged && !(refusal instanceof ConditionalCheckFailedException)) throw refusal;
    try {
      const now = await readExistingClient(tables, clientId);
      const since = await changesSince(tables, before.live.digest, now);
      throw configurationConflict(clientId, { kind: 'changed', since });
    } catch (error) {
      throw Object.assign(error as Error, { cause: refusal });
    }
  }
}

/** Returns the configuration and the rollout of a client after a planned change. */
function attributesAfter({ step, before, after }: Plan, now: StoredClient): Attributes {
  const { clientId, live } = before;
  if (step.kind === 'discard') return withoutRollout(before, now);
  const planned = {
    ...Object.fromEntries(CONTENT.map((name) => [name, live.content[name]])),
    rollout: before.raw.rollout,
  };
  if (!hasAttributes(now, planned)) {
    throw new OperatorError('conflict', { clientId, part: 'content' });
  }
  const changed =
    step.kind === 'rollOut'
      ? rolloutAttributes(before, after.content, step.rollout)
      : { language: undefined, ...after.content, ...(step.ends && { rollout: undefined }) };
  return { ...planned, ...changed };
}

/** True if nothing was written for sure: nothing was sent, or DynamoDB refused it at once. */
function isRefused(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  const reason = cause ?? error;
  // A read after a refused write has the refusal as its cause.
  if (reason instanceof OperatorError || isCall(reason, 'GetItem')) return true;
  return [error, cause].some((one) => {
    if (!isCall(one, 'UpdateItem')) return false;
    const { $metadata } = one as { $metadata?: { httpStatusCode?: number; attempts?: number } };
    const { httpStatusCode = 0, attempts } = $metadata ?? {};
    return attempts === 1 && httpStatusCode >= 400 && httpStatusCode < 500;
  });
}

/** True for the error of a call of DynamoDB. */
function isCall(error: unknown, name: 'GetItem' | 'UpdateItem'): boolean {
  return error instanceof Error && callOf(error)?.startsWith(`dynamodb:${name}`) === true;
}

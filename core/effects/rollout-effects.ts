import { isDeepStrictEqual } from 'node:util';
import type { ClientState } from '../clients/client-state.ts';
import type { RolloutShare } from '../configuration/rollout.ts';
import { type Effect, effect } from './effect.ts';

/**
 * Tells what a change does to the rollout of a client: nothing, or one thing.
 *
 * @param after undefined for a client that is removed.
 */
export function rolloutEffects(
  before: ClientState | undefined,
  after: ClientState | undefined,
): Effect[] {
  const [was, running] = [before?.rollout, after?.rollout];
  if (!running) return was ? [effect(endOf(was.candidate.digest, before, after), {})] : [];
  const share = shareOf(running);
  if (running.id !== was?.id) return [effect('rolloutStarted', { share })];
  const hasNewCandidate = running.candidate.digest !== was.candidate.digest;
  if (!hasNewCandidate && isDeepStrictEqual(share, shareOf(was))) return [];
  const code = running.percent > was.percent ? 'rolloutWidened' : 'rolloutChanged';
  return [effect(code, { share, hasNewCandidate })];
}

function shareOf({ percent, devices }: RolloutShare): Omit<RolloutShare, 'id'> {
  return { percent, devices };
}

function endOf(candidate: string, before?: ClientState, after?: ClientState) {
  const live = after?.live.digest;
  if (live === candidate) return 'rolloutFinished';
  return live === before?.live.digest ? 'rolloutStopped' : 'rolloutEnded';
}

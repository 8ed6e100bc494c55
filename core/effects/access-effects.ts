import type { RecordedAccess, Version } from '../history/version.ts';
import { escapeInvisible } from '../stray-characters.ts';
import type { Effect } from './effect.ts';

/**
 * Lists the App-Ids, by their fingerprints, and the app clients that a manual edit added or
 * removed. Of a change by a command, its message names them.
 */
export function accessEffects(
  source: Version['source'],
  before: RecordedAccess | undefined,
  after: RecordedAccess,
): Effect[] {
  if (source !== 'manualEdit' || !before) return [];
  const [old, fresh] = [new Set(before.fingerprints), new Set(after.fingerprints)];
  return [
    ...[...old.difference(fresh)].map((fingerprint) => appIdEffect(fingerprint, 'removed')),
    ...[...fresh.difference(old)].map((fingerprint) => appIdEffect(fingerprint, 'added')),
    ...appClientEffects(before, after),
  ];
}

function appIdEffect(fingerprint: string, change: 'added' | 'removed'): Effect {
  return {
    sentence: `App-Id ${fingerprint} is ${change}.`,
    more: `more App-Ids are ${change}`,
    level: change === 'removed' ? 'loss' : 'neutral',
  };
}

function appClientEffects(
  { userPoolClientIds: old }: RecordedAccess,
  { userPoolClientIds: fresh }: RecordedAccess,
): Effect[] {
  const [oldNames, freshNames] = [old, fresh].map((ids) =>
    escapeInvisible(ids?.join(', ') ?? 'any'),
  );
  if (oldNames === freshNames) return [];
  const sentence = `App clients: ${freshNames || 'none'} instead of ${oldNames || 'none'}.`;
  const isLoss = fresh !== undefined && !(old && new Set(old).isSubsetOf(new Set(fresh)));
  return [{ sentence, more: 'more changes', level: isLoss ? 'loss' : 'neutral' }];
}

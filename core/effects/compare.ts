import type { ClientState } from '../clients/client-state.ts';
import { writtenConfiguration } from '../configuration/written-configuration.ts';
import { accessEffects } from './access-effects.ts';
import { configurationEffects } from './configuration-effects.ts';
import { type Effect, effect } from './effect.ts';
import { lostFields, NOTHING_LOST, servedFields } from './lost-fields.ts';
import { rolloutEffects } from './rollout-effects.ts';

/**
 * Compares two states of a client: lists the effects of what lies between them on the client, on
 * who may call, on its rollout, and on customers. While a rollout runs, they include those of the
 * candidate on the devices that get it, next to the live configuration; only what it newly takes
 * from them is harm.
 *
 * @param before undefined for a client without a history.
 * @param after undefined for a client without an item.
 */
export function compare(before: ClientState | undefined, after: ClientState | undefined): Effect[] {
  const old = before?.isRemoved ? undefined : before;
  if (!after || after.isRemoved) return [effect('deleted', {}), ...rolloutEffects(old, undefined)];
  const had = old ? old.findings?.length : 0;
  const has = after.findings?.length;
  const isWorse = had !== undefined && has !== undefined && has > had;
  const ignored = after.promoCodesIgnoreCase === true;
  // No command does it: a code that was stored under one key is looked for under another.
  const isSwitched = before && (before.promoCodesIgnoreCase === true) !== ignored;
  return [
    ...(isWorse ? [effect('findingsRose', { before: had, after: has })] : []),
    ...(after.isLockedOut && !old?.isLockedOut ? [effect('lockedOut', {})] : []),
    ...(old ? accessEffects(old, after) : []),
    ...(isSwitched ? [effect('caseSwitched', { ignored })] : []),
    ...rolloutEffects(old, after),
    ...servedEffects(old, after),
  ];
}

/** Compares what devices get, as far as both states know it. */
function servedEffects(before: ClientState | undefined, after: ClientState): Effect[] {
  const { content: was } = before ? before.live : { content: {} };
  const { content: live } = after.live;
  const candidate = after.rollout?.candidate.content;
  const isKnown = was && live && (!before?.rollout || before.rollout.candidate.content);
  const lost = isKnown
    ? lostFields(servedBy(before), servedBy(after))
    : { live: NOTHING_LOST, candidate: NOTHING_LOST };
  const written = live && writtenConfiguration(live);
  return [
    ...(was && written ? configurationEffects(writtenConfiguration(was), written, lost.live) : []),
    ...(written && candidate
      ? configurationEffects(written, writtenConfiguration(candidate), lost.candidate).map(
          (one): Effect => ({ ...one, isOfCandidate: true }),
        )
      : []),
  ];
}

function servedBy(state: ClientState | undefined) {
  const { content = {} } = state?.live ?? {};
  const { rollout } = state ?? {};
  const { fields: candidate } = writtenConfiguration(rollout?.candidate.content ?? {});
  return servedFields(
    writtenConfiguration(content).fields,
    rollout && { ...rollout, fields: candidate },
  );
}

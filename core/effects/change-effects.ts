import type { ChangeSource } from '../clients/last-change.ts';
import type { RecordedRollout } from '../configuration/rollout.ts';
import type { StoredContent } from '../configuration/stored-content.ts';
import { writtenConfiguration } from '../configuration/written-configuration.ts';
import { accessEffects } from './access-effects.ts';
import { clientEffects, type Health } from './client-effects.ts';
import { configurationEffects } from './configuration-effects.ts';
import type { Effect } from './effect.ts';
import { lostFields, servedFields } from './lost-fields.ts';

/** The state of a client's item before or after a change. */
export interface Compared extends Health {
  readonly content: StoredContent;
  readonly candidate?: StoredContent | undefined;
  readonly rollout?: RecordedRollout | undefined;
}

/** The effects of a change of a client's item. */
export interface ChangeEffects {
  /** Those on the client, its access and its live configuration, harm first. */
  readonly live: readonly Effect[];
  /** Those of a new candidate, next to the live configuration. */
  readonly candidate: readonly Effect[];
}

/**
 * Lists the effects of a change of a client's item, in the sentences in which `config diff`
 * compares two configurations, the harm to the client, and what a manual edit did to its access.
 *
 * @param former what the history knows of a client that had no item.
 */
export function changeEffects(
  before: Compared | undefined,
  after: Compared | undefined,
  source: ChangeSource,
  former?: Parameters<typeof clientEffects>[3],
): ChangeEffects {
  const ofClient = clientEffects(before, after, source, before ?? former);
  if (!after) return { live: ofClient, candidate: [] };
  const served = (client?: Compared['client']) => servedFields(client?.item ?? {}, client?.rollout);
  const lost = lostFields(served(before?.client), served(after.client));
  const live = { ...writtenConfiguration(after.content) };
  const candidate = candidateIn(after);
  const isNew = candidate !== undefined && candidate !== (before && candidateIn(before));
  const said = new Set(ofClient.map(({ sentence }) => sentence));
  return {
    live: [
      ...ofClient,
      ...accessEffects(source, before?.access, after.access),
      ...configurationEffects(
        { ...writtenConfiguration(before?.content ?? {}) },
        live,
        lost.live,
      ).filter(({ sentence }) => !said.has(sentence)),
    ],
    candidate: isNew
      ? configurationEffects(
          live,
          { ...writtenConfiguration(after.candidate ?? {}) },
          lost.candidate,
        )
      : [],
  };
}

/** Identifies the candidate of the rollout that runs. */
function candidateIn({ rollout }: Compared): string | undefined {
  return rollout && `${rollout.id} ${rollout.digest}`;
}

import { type ClientState, itemBytes, type RawItem, readItem } from 'customer-data-api/clients';
import { checkPublication, countFindings, type Finding } from 'customer-data-api/configuration';
import { compare, type Effect, effect, isOfRollout } from 'customer-data-api/effects';
import { CONTENT, writtenConfiguration } from 'customer-data-api/history';
import type { Refusal } from '../errors.ts';
import { concernsRollout, type Plan } from './plan-draft.ts';

/** The facts that a person needs to confirm a planned change. */
export interface Review {
  /** False if nothing changes. */
  readonly hasEffect: boolean;
  /** Findings in the configuration after the change. */
  readonly findings: readonly Finding[];
  /** The reason why the change is refused. */
  readonly refusal?: Refusal | undefined;
  /** Its effects on customers. With harm, a plain yes is not enough: the id must be typed. */
  readonly effects: readonly Effect[];
}

/**
 * Reviews a planned change: its effects, and what must be confirmed. A new configuration with more
 * errors than the live one is refused, and one whose inputs change places, which mixes answers. A
 * version that was live before may be restored as it was, because an operator who rolls back has no
 * time to repair it. What undoes a version may exchange inputs back.
 */
export function reviewPlan(plan: Plan): Review {
  const { step, before, after } = plan;
  const { clientId, raw, live, rollout, damage } = before;
  const hasRollout = rollout !== undefined || damage !== undefined;
  const bytes = itemBytes(readItem(after.content));
  // During a rollout, the item has both.
  const liveBytes = step.rollout ? itemBytes(readItem(live.content)) : 0;
  const isBesideRollout = hasRollout && !concernsRollout(step);
  const others = withoutContent(raw, isBesideRollout);
  const findings = checkPublication(
    { clientId, ...writtenConfiguration(after.content) },
    { content: bytes, item: bytes + liveBytes + itemBytes(readItem(others)) },
  );
  const { errors } = countFindings(findings);
  // Without errors, it is no worse, and the check of a large configuration takes a second.
  const { errors: errorsBefore } = countFindings(
    errors > 0 ? checkPublication({ clientId, ...writtenConfiguration(live.content) }) : [],
  );
  const facts = { newErrors: errors, liveErrors: errorsBefore };
  const worse = errors > errorsBefore ? effect('moreErrors', facts) : undefined;
  const { restores, undoes } = step.kind === 'publish' ? step : {};
  const isRollback = restores !== undefined;
  const tooLarge = findings.find(({ code }) => code === 'tooLarge');
  // Customers notice nothing of a rollout that stays: it reaches named devices only.
  const now = isBesideRollout ? { ...before, rollout: undefined } : before;
  // The step says what becomes of a rollout.
  const compared = compare(now, plannedState(plan)).filter((one) => !isOfRollout(one));
  const effects = [...compared, ...(plan.returned ?? [])];
  // What it undoes exchanged them, so the answers before that are in their places again.
  const exchanged = undoes === undefined && effects.find(({ code }) => code === 'inputsExchanged');
  const refused = isRollback ? undefined : (worse ?? (exchanged || undefined));
  return {
    hasEffect: after.written !== live.written || (hasRollout && concernsRollout(step)),
    findings,
    refusal: tooLarge
      ? { code: 'moreErrors', tooLarge: tooLarge.message, isBesideRollout }
      : refused && {
          code: refused === worse ? 'moreErrors' : 'inputsExchanged',
          effect: refused,
        },
    effects: [...(isRollback && worse ? [worse] : []), ...effects],
  };
}

/** Returns the attributes of an item besides its configuration and a rollout that does not stay. */
function withoutContent(raw: RawItem, keepsRollout: boolean): RawItem {
  const own: readonly string[] = keepsRollout ? CONTENT : [...CONTENT, 'rollout'];
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !own.includes(name)));
}

/**
 * Returns what a plan makes of a client, as far as it decides that. A start raises `lastFieldId` of
 * what is live, which is no change by a person.
 */
function plannedState({ step, before, after }: Plan): ClientState {
  const { live, promoCodesIgnoreCase } = before;
  return step.rollout
    ? { live, promoCodesIgnoreCase, rollout: { ...step.rollout, candidate: after } }
    : { live: after, promoCodesIgnoreCase };
}

import { itemBytes, readItem } from 'customer-data-api/clients';
import {
  checkPublication,
  counted,
  countFindings,
  type Finding,
} from 'customer-data-api/configuration';
import {
  configurationEffects,
  type Effect,
  lostFields,
  servedFields,
} from 'customer-data-api/effects';
import { isWritten } from 'customer-data-api/history';
import { concernsRollout, type Plan, startedBy } from './plan-change.ts';

/** The facts that a person needs to confirm a planned change. */
export interface Review {
  /** False if nothing changes. */
  readonly hasEffect: boolean;
  /** Findings in the configuration after the change. */
  readonly findings: readonly Finding[];
  /** The reason why the change is refused, in a sentence. */
  readonly refusal?: string | undefined;
  /** Its effects on customers. With harm, a plain yes is not enough: the id must be typed. */
  readonly effects: readonly Effect[];
}

/**
 * Reviews a planned change: its effects, and what must be confirmed. A new configuration with more
 * errors than the live one is refused. A version that was live before may be restored with its
 * errors, because an operator who rolls back has no time to repair it.
 */
export function reviewChange(plan: Plan): Review {
  const { step, before, after } = plan;
  const { clientId, otherBytes = 0, rollout, damage } = before;
  const hasRollout = rollout !== undefined || damage !== undefined;
  const bytes = itemBytes(readItem(after.content));
  // During a rollout, the item has both.
  const liveBytes = startedBy(step) ? itemBytes(readItem(before.content)) : 0;
  const findings = checkPublication(
    { clientId, ...after.written },
    { content: bytes, item: bytes + liveBytes + otherBytes },
  );
  const { errors } = countFindings(findings);
  // Without errors, it is no worse, and the check of a large configuration takes a second.
  const { errors: errorsBefore } = countFindings(
    errors > 0 ? checkPublication({ clientId, ...before.written }) : [],
  );
  const worse =
    errors > errorsBefore
      ? `The new configuration has ${counted(errors, 'error')}, the live one ${counted(errorsBefore, 'error')}.`
      : undefined;
  const isRollback = step.kind === 'publish' && step.restores !== undefined;
  const tooLarge = findings.find(({ code }) => code === 'tooLarge');
  return {
    hasEffect: !isWritten(after.content, before.content) || (hasRollout && concernsRollout(step)),
    findings,
    refusal: tooLarge ? `${clientId} ${tooLarge.message}.` : isRollback ? undefined : worse,
    effects: [
      ...(isRollback && worse
        ? [{ sentence: worse, more: 'more changes', level: 'harm' } as const]
        : []),
      ...effectsOf(plan),
    ],
  };
}

/** Lists the effects of a plan on customers. Some may have the candidate of a rollout already. */
function effectsOf({ step, before, after }: Plan): Effect[] {
  const [old, fresh] = [before, after].map(({ written }) => ({ ...written }));
  const now = servedFields({ ...old }, before.rollout);
  const started = startedBy(step);
  const next = started
    ? servedFields({ ...old }, { ...started, candidate: { fields: after.fields } })
    : servedFields({ ...fresh });
  const { live, candidate } = lostFields(now, next);
  return configurationEffects({ ...old }, { ...fresh }, started ? candidate : live);
}

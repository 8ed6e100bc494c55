import type { Draft, PlannedChange } from '../../admin/configuration/plan-change.ts';
import { reviewChange } from '../../admin/configuration/review-change.ts';
import type { Content, Review } from '../../console/src/types.ts';
import type { ConfigsItem } from '../../core/client-attributes.ts';
import { counted } from '../../core/text.ts';
import { check } from '../commands/config/check.ts';
import { diffConfigurations } from '../commands/config/diff.ts';
import { suggested } from '../suggestion.ts';

/** A review for the operator, who decides by it. */
export function shownReview(plan: PlannedChange, draft?: Draft): Review {
  const { clientId } = plan.before;
  const { before, after, hasEffect, changes, findings, refusal, dangers } = reviewChange(plan);
  const { lines } = diffConfigurations(
    { name: clientId, content: before },
    { name: `${clientId}.yaml`, content: after },
  );
  const why = (draft && refusalOf(draft)) ?? refusal;
  const words =
    plan.restores === undefined
      ? ['publish', `${clientId}.yaml`]
      : ['rollback', `${clientId}@${plan.restores}`];
  return {
    ...{ before: shownContent(before), after: shownContent(after), hasEffect, changes, lines },
    ...{ findings, dangers, ...(why !== undefined && { refusal: why }) },
    command: suggested('config', ...words, '-m', 'MESSAGE'),
  };
}

/** The part of a configuration that a draft can change. */
function shownContent({ fields, lastFieldId }: ConfigsItem): Content {
  return { fields, lastFieldId };
}

/** Says why a draft cannot be published, by the rules for a file: undefined if it can. */
export function refusalOf({ base: _, ...draft }: Draft): string | undefined {
  const errors = check(draft).filter(({ severity }) => severity === 'error');
  return errors.length > 0 ? `The draft has ${counted(errors.length, 'error')}.` : undefined;
}

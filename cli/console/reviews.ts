import type { Draft, PlannedChange } from '../../admin/configuration/plan-change.ts';
import { reviewChange } from '../../admin/configuration/review-change.ts';
import type { ConfigsItem } from '../../core/client-attributes.ts';
import { counted } from '../../core/text.ts';
import { check } from '../commands/config/check.ts';
import { diffConfigurations } from '../commands/config/diff.ts';
import { suggested } from '../suggestion.ts';
import { shownVersion } from './versions.ts';

/** A review for the operator, who decides by it. */
export function shownReview(plan: PlannedChange, draft?: Draft): object {
  const { clientId } = plan.before;
  const { before, after, hasEffect, changes, findings, refusal, dangers } = reviewChange(plan);
  const { lines } = diffConfigurations(
    { name: clientId, content: before },
    { name: `${clientId}.yaml`, content: after },
  );
  const merges = plan.mergedWith ? ['--merge'] : [];
  const words =
    plan.restores === undefined
      ? ['publish', `${clientId}.yaml`, ...merges]
      : ['rollback', `${clientId}@${plan.restores}`];
  return {
    ...{ before: shownContent(before), after: shownContent(after), hasEffect, changes, lines },
    ...{ findings, dangers, refusal: (draft && refusalOf(draft)) ?? refusal },
    ...(plan.mergedWith && { mergedWith: plan.mergedWith.map(shownVersion) }),
    command: suggested('config', ...words, '-m', 'MESSAGE'),
  };
}

/** The part of a configuration that a draft can change. */
export function shownContent({ fields, lastFieldId }: ConfigsItem): object {
  return { fields, lastFieldId };
}

/** Says why a draft cannot be published, by the rules for a file: undefined if it can. */
export function refusalOf({ base: _, ...draft }: Draft): string | undefined {
  const errors = check(draft).filter(({ severity }) => severity === 'error');
  return errors.length > 0 ? `The draft has ${counted(errors.length, 'error')}.` : undefined;
}

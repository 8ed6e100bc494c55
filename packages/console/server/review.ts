import { counted } from 'customer-data-api/configuration';
import {
  briefChanges,
  checkFile,
  diffConfigurations,
  fileOf,
  type ReviewedPlan,
  reviewChange,
} from 'customer-data-api-operator';
import type { Content, Review } from '../page/src/types.ts';

/** The lines of YAML that the page shows. */
const SHOWN_LINES = 500;

/** A review for the operator, who decides by it. A draft has to pass the check of a file, too. */
export function reviewOf(plan: ReviewedPlan, drafted?: Content): Omit<Review, 'command'> {
  const { before, after } = plan;
  const { clientId } = before;
  const { hasEffect, findings, refusal, dangers } = reviewChange(plan);
  const draft = drafted ? checkFile({ clientId, ...drafted }) : [];
  const errors = draft.filter(({ severity }) => severity === 'error').length;
  const why = errors > 0 ? `The draft has ${counted(errors, 'error')}.` : refusal;
  const { changes, lines } = diffConfigurations(
    { name: clientId, content: fileOf(before) },
    { name: `${clientId}.yaml`, content: fileOf(after) },
  );
  return {
    before: contentOf(before.written),
    after: contentOf(after.written),
    hasEffect,
    changes: briefChanges(changes),
    findings,
    lines: firstLines(lines),
    dangers,
    ...(why !== undefined && { refusal: why }),
  };
}

function contentOf({ fields, language }: Content): Content {
  return { fields, language };
}

function firstLines(lines: readonly string[]): readonly string[] {
  const left = lines.length - SHOWN_LINES;
  if (left <= 0) return lines;
  return [...lines.slice(0, SHOWN_LINES), `… and ${left.toLocaleString('en-US')} more lines`];
}

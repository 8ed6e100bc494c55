import { counted } from 'customer-data-api/configuration';
import { briefEffects, type Effect, harmIn } from 'customer-data-api/effects';
import {
  type ClientConfiguration,
  checkFile,
  diffConfigurations,
  fileOf,
  type Plan,
  reviewChange,
} from 'customer-data-api-operator';

/** The fields, as in a configuration file. After a manual edit, they can have any type. */
export interface DraftContent {
  readonly fields?: unknown;
  /** The language of the fields' own texts. */
  readonly language?: unknown;
}

/** The lines of YAML that the page shows. */
const SHOWN_LINES = 500;

/** Makes the review that the page shows. A draft has to pass the check of a file, too. */
export function reviewForPage(plan: Plan, drafted?: DraftContent) {
  const { before, after } = plan;
  const { clientId } = before;
  const { hasEffect, findings, refusal, effects } = reviewChange(plan);
  const draft = drafted ? checkFile({ clientId, ...drafted }) : [];
  const errors = draft.filter(({ severity }) => severity === 'error').length;
  const why = errors > 0 ? `The draft has ${counted(errors, 'error')}.` : refusal;
  return {
    ...comparisonOf([clientId, before], [`${clientId}.yaml`, after], effects),
    hasEffect,
    findings,
    effects,
    harm: harmIn(effects),
    ...(why !== undefined && { refusal: why }),
  };
}

/** Compares two configurations, each after its name. */
export function comparisonOf(
  [oldName, before]: readonly [string, ClientConfiguration],
  [newName, after]: readonly [string, ClientConfiguration],
  known?: readonly Effect[],
) {
  const { effects, lines } = diffConfigurations(
    { name: oldName, content: fileOf(before) },
    { name: newName, content: fileOf(after) },
    known,
  );
  return {
    before: draftContent(before.written),
    after: draftContent(after.written),
    changes: briefEffects(effects),
    lines: firstLines(lines),
  };
}

function draftContent({ fields, language }: DraftContent): DraftContent {
  return { fields, language };
}

function firstLines(lines: readonly string[]): readonly string[] {
  const left = lines.length - SHOWN_LINES;
  if (left <= 0) return lines;
  return [...lines.slice(0, SHOWN_LINES), `… and ${left.toLocaleString('en-US')} more lines`];
}

import { briefEffects, type Effect, harmIn } from 'customer-data-api/effects';
import { writtenConfiguration } from 'customer-data-api/history';
import {
  checkFile,
  compareLive,
  differentLines,
  fileOf,
  type KnownState,
  type Plan,
  reviewPlan,
} from 'customer-data-api-editor/configurations';

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
  const { hasEffect, findings, refusal, effects } = reviewPlan(plan);
  const draft = drafted ? checkFile({ clientId, ...draftContent(drafted) }) : [];
  const errors = draft.filter(({ severity }) => severity === 'error').length;
  const why = errors > 0 ? { code: 'moreErrors' as const, errorsInDraft: errors } : refusal;
  return {
    ...comparisonOf(clientId, [clientId, before], [`${clientId}.yaml`, { live: after }], effects),
    hasEffect,
    findings,
    harm: briefEffects(harmIn(effects)),
    ...(why && { refusal: why }),
  };
}

/** Compares two states of a client, each after its name. */
export function comparisonOf(
  clientId: string,
  [oldName, before]: readonly [string, KnownState],
  [newName, after]: readonly [string, KnownState],
  effects: readonly Effect[] = compareLive(before, after),
) {
  const lines = differentLines(
    { name: oldName, content: fileOf(clientId, before.live) },
    { name: newName, content: fileOf(clientId, after.live) },
  );
  return {
    before: draftContent(writtenConfiguration(before.live.content)),
    after: draftContent(writtenConfiguration(after.live.content)),
    effects: briefEffects(effects),
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

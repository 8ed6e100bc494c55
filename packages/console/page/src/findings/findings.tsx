import type { Finding } from 'customer-data-api/configuration';
import type { DraftFinding } from '../draft/draft.ts';
import { Button } from '../parts/button.tsx';
import { lineOf, placeOf, sentenceOf } from './finding-text.ts';

const SEVERITIES = { error: 'Error', warning: 'Warning' };

interface FindingsProps {
  readonly findings: readonly DraftFinding[];
  /** The line of each entry of a list. */
  readonly lines?: readonly number[] | undefined;
  /** Returns what removes the attribute that a finding is about, if that solves it. */
  readonly remover?: (finding: DraftFinding) => (() => void) | undefined;
}

/** Shows findings beside what they are about. */
export function Findings({ findings, lines, remover }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <ul class="plain findings">
      {findings.map((finding) => {
        const { severity, path, number } = finding;
        const remove = remover?.(finding);
        const isBeside = lines || !remover;
        return (
          <li key={number} id={`finding-${number}`} class={severity} tabIndex={-1}>
            <strong>{SEVERITIES[severity]}:</strong>{' '}
            {sentenceOf(finding, isBeside ? lineOf(finding, lines) : placeOf(finding))}{' '}
            {remove && <Button onClick={remove}>{`Remove ${path.at(-1)}`}</Button>}
          </li>
        );
      })}
    </ul>
  );
}

/** The most findings in a list: the errors come first. */
const MAX_FINDINGS = 50;

interface PlacedFindingsProps<T extends Finding> {
  readonly findings: readonly T[];
  /** Leads to the place where a finding is solved. Undefined if there is none. */
  readonly leadTo?: (finding: T) => (() => void) | undefined;
}

/** Lists findings away from what they are about, with the captions and the names of controls. */
export function PlacedFindings<T extends Finding>({ findings, leadTo }: PlacedFindingsProps<T>) {
  const { error = [], warning = [] } = Object.groupBy(findings, ({ severity }) => severity);
  const more = findings.length - MAX_FINDINGS;
  return (
    <ul class="findings">
      {[...error, ...warning].slice(0, MAX_FINDINGS).map((finding) => {
        const lead = leadTo?.(finding);
        const text = sentenceOf(finding, placeOf(finding));
        return (
          <li key={JSON.stringify([finding.path, finding.message])} class={finding.severity}>
            <strong>{SEVERITIES[finding.severity]}:</strong>{' '}
            {lead ? <Button onClick={lead}>{text}</Button> : text}
          </li>
        );
      })}
      {more > 0 && <li>{`… and ${more} more`}</li>}
    </ul>
  );
}

import { counted, type Finding } from 'customer-data-api/configuration';
import type { DraftFinding } from '../draft/draft.ts';
import { Button } from '../parts/button.tsx';
import { lineOf, placeOf, REMOVABLE, sentenceOf } from './finding-text.ts';

const SEVERITIES = { error: 'Error', warning: 'Warning' };

interface FindingsProps {
  readonly findings: readonly DraftFinding[];
  /** The line of each entry of a list. */
  readonly lines?: readonly number[] | undefined;
  /** Removes the attribute that a finding is about. */
  readonly onRemove?: (path: Finding['path']) => void;
}

/** Shows findings beside what they are about. */
export function Findings({ findings, lines = [], onRemove }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <ul class="plain findings">
      {findings.map((finding) => {
        const { severity, code, path, number } = finding;
        return (
          <li key={number} id={`finding-${number}`} class={severity} tabIndex={-1}>
            <strong>{SEVERITIES[severity]}:</strong>{' '}
            {sentenceOf(finding, onRemove ? placeOf(finding) : lineOf(finding, lines))}{' '}
            {onRemove && path.length > 0 && REMOVABLE.includes(code) && (
              <Button onClick={() => onRemove(path)}>{`Remove ${path.at(-1)}`}</Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The most findings in a list. */
const MAX_FINDINGS = 50;

interface PlacedFindingsProps<T extends Finding> {
  readonly findings: readonly T[];
  /** Leads to the place where a finding is solved. Undefined if there is none. */
  readonly leadTo?: (finding: T) => (() => void) | undefined;
}

/** Lists findings away from what they are about, with the captions and the names of controls. */
export function PlacedFindings<T extends Finding>({ findings, leadTo }: PlacedFindingsProps<T>) {
  const more = findings.length - MAX_FINDINGS;
  return (
    <ul class="findings">
      {findings.slice(0, MAX_FINDINGS).map((finding) => {
        const lead = leadTo?.(finding);
        const text = sentenceOf(finding, placeOf(finding));
        return (
          <li key={JSON.stringify([finding.path, finding.message])} class={finding.severity}>
            <strong>{SEVERITIES[finding.severity]}:</strong>{' '}
            {lead ? <Button onClick={lead}>{text}</Button> : text}
          </li>
        );
      })}
      {more > 0 && <li>{`… and ${counted(more, 'more warning')}`}</li>}
    </ul>
  );
}

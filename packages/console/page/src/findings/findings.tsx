import { counted, type Finding, findingText } from 'customer-data-api/configuration';
import { useMemo } from 'preact/hooks';
import type { DraftContent } from '../answers.ts';
import { checkDraft, type DraftFinding, draftOf, findingKey } from '../draft/draft.ts';
import { Button } from '../parts/button.tsx';
import { Sentence } from '../parts/sentences.tsx';
import { itemSentence, lineOf, placeOf, sentenceOf } from './finding-text.ts';

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
            <Sentence>
              {sentenceOf(finding, isBeside ? lineOf(finding, lines) : placeOf(finding))}
            </Sentence>{' '}
            {remove && (
              <Button onClick={remove}>
                Remove <bdi>{path.at(-1)}</bdi>
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Lists what is wrong with the item of a client, and says how it is repaired. */
export function ItemFindings({ findings }: { readonly findings: readonly Finding[] }) {
  return findings.map((finding) => (
    <p key={findingText(finding)} class={finding.severity === 'error' ? 'failure' : 'quiet'}>
      <Sentence>{itemSentence(finding) ?? sentenceOf(finding, placeOf(finding))}</Sentence>
    </p>
  ));
}

interface PlacedFindingsProps<T extends Finding> {
  readonly findings: readonly T[];
  /** The content that has them. */
  readonly content: DraftContent;
  /** The content that is live, whose warnings are no news. */
  readonly live: DraftContent;
  /** Leads to the place where a finding is solved. Undefined if there is none. */
  readonly leadTo?: ((finding: T) => (() => void) | undefined) | undefined;
}

/** The most lines in a list. */
const MAX_LINES = 50;

/**
 * Lists findings away from what they are about, with the captions and the names of controls: the
 * errors first, warnings that were there before apart, and equal warnings in one line.
 */
export function PlacedFindings<T extends Finding>(props: PlacedFindingsProps<T>) {
  const { findings, content, live, leadTo } = props;
  const known = useMemo(() => {
    const { fields, language } = live;
    const draft = draftOf({ base: '', fields, language });
    const { findings: all } = checkDraft(draft, { clientId: '', highestId: 0 });
    return new Set(all.map((one) => findingKey(live, one)));
  }, [live]);
  const groups = Object.groupBy(findings, (one) =>
    one.severity === 'warning' && known.has(findingKey(content, one)) ? 'before' : one.severity,
  );
  const { error = [], warning = [], before = [] } = groups;
  const listed = (some: readonly T[]) => {
    const lines = [...Map.groupBy(some, kindOf).values()];
    const more = lines.slice(MAX_LINES).flat().length;
    return (
      <ul class="findings">
        {lines.slice(0, MAX_LINES).map(([finding = some[0] as T, ...others]) => {
          const lead = leadTo?.(finding);
          const text = <Sentence>{sentenceOf(finding, placeOf(finding))}</Sentence>;
          return (
            <li key={JSON.stringify([finding.path, finding.message])} class={finding.severity}>
              <strong>{SEVERITIES[finding.severity]}:</strong>{' '}
              {lead ? <Button onClick={lead}>{text}</Button> : text}
              {others.length > 0 && ` The same ${counted(others.length, 'more time')}.`}
            </li>
          );
        })}
        {more > 0 && <li>{`… and ${more} more`}</li>}
      </ul>
    );
  };
  return (
    <>
      {error.length + warning.length > 0 && listed([...error, ...warning])}
      {before.length > 0 && (
        <details>
          <summary>{`${counted(before.length, 'warning')} from before`}</summary>
          {listed(before)}
        </details>
      )}
    </>
  );
}

/** Identifies an error, and a warning but for its field and its option. */
function kindOf({ code, severity, message, path }: Finding): string {
  const names = path.filter((key) => typeof key === 'string');
  const [place] = names.join('/').split(/(?<=\/options)\//);
  return JSON.stringify([code, message, severity === 'error' ? path : place]);
}

import type { ConfigsItem } from '../../core/client-attributes.ts';
import { checkConfiguration } from '../../core/configuration/check-configuration.ts';
import type { Finding } from '../../core/finding.ts';
import { contentDigest, type RawContent } from '../../core/history/content-digest.ts';
import { counted } from '../../core/text.ts';
import { describeChanges } from './describe-changes.ts';
import type { PlannedChange } from './plan-change.ts';
import { writtenConfiguration } from './written-configuration.ts';

/** What a person has to know before a planned change is made. */
export interface ChangeReview {
  /** The item before and after it, as operators write it, without keys. */
  readonly before: ConfigsItem;
  readonly after: ConfigsItem;
  /** Whether it changes anything. */
  readonly hasEffect: boolean;
  /** What customers notice of it, in sentences. */
  readonly changes: readonly string[];
  /** The findings of the configuration after it. */
  readonly findings: readonly Finding[];
  /** Why it must not be made, in a sentence; undefined if it may. */
  readonly refusal: string | undefined;
  /**
   * Why a plain yes does not confirm it, in sentences: then the id of the client has to be typed.
   */
  readonly dangers: readonly string[];
}

/**
 * Reviews a planned change: what it does, and what has to be confirmed. A new configuration with
 * more errors than the current one is refused. One that was live before may be brought back with
 * its errors, because an operator who rolls back has no time to repair it.
 */
export function reviewChange({ before, after, restores }: PlannedChange): ChangeReview {
  const { clientId, content } = before;
  const old = { clientId, ...writtenConfiguration(content) };
  const fresh = { clientId, ...writtenConfiguration(after) };
  const findings = checkConfiguration(fresh);
  const [errorsBefore, errors] = [errorsIn(checkConfiguration(old)), errorsIn(findings)];
  const worse =
    errors > errorsBefore
      ? `The new configuration has ${counted(errors, 'error')}, the live one ${counted(errorsBefore, 'error')}.`
      : undefined;
  const isRollback = restores !== undefined;
  const [lost, all] = removedFields(content, after);
  return {
    before: old,
    after: fresh,
    hasEffect: contentDigest(content) !== contentDigest(after),
    changes: describeChanges(old, fresh),
    findings,
    refusal: isRollback ? undefined : worse,
    dangers: [
      ...(lost > all / 2
        ? [`${lost} of ${all} ${all === 1 ? 'field is' : 'fields are'} removed.`]
        : []),
      ...(isRollback && worse ? [worse] : []),
    ],
  };
}

function errorsIn(findings: readonly Finding[]): number {
  return findings.filter(({ severity }) => severity === 'error').length;
}

/** How many fields are removed, and of how many. Removing more than half is rarely intended. */
function removedFields(before: RawContent, after: RawContent): [removed: number, all: number] {
  const [old = [], fresh = []] = [before, after].map(
    ({ fields }) => fields?.L?.map(({ M }) => M?.id?.S) ?? [],
  );
  return [old.filter((id) => !fresh.includes(id)).length, old.length];
}

import type { ConfigsItem } from 'customer-data-api/clients';
import { itemBytes, readItem } from 'customer-data-api/clients';
import {
  checkPublication,
  counted,
  countFindings,
  type Finding,
} from 'customer-data-api/configuration';
import { contentDigest, type RawContent } from 'customer-data-api/history';
import type { PlannedChange } from './plan-change.ts';
import { writtenConfiguration } from './written-configuration.ts';

/** The facts that a person needs to confirm a planned change. */
export interface ChangeReview {
  /** The item before and after the change, as operators write it, without App-Ids. */
  readonly before: ConfigsItem;
  readonly after: ConfigsItem;
  /** False if nothing changes. */
  readonly hasEffect: boolean;
  /** Findings in the configuration after the change. */
  readonly findings: readonly Finding[];
  /** The reason why the change is refused, in a sentence. */
  readonly refusal: string | undefined;
  /** Reasons why a plain yes is not enough and the client's id must be typed, in sentences. */
  readonly dangers: readonly string[];
}

/**
 * Reviews a planned change: its effects, and what must be confirmed. A new configuration with more
 * errors than the live one is refused. A version that was live before may be restored with its
 * errors, because an operator who rolls back has no time to repair it.
 */
export function reviewChange({ before, after, restores }: PlannedChange): ChangeReview {
  const { clientId, content, otherBytes = 0 } = before;
  const old = { clientId, ...writtenConfiguration(content) };
  const fresh = { clientId, ...writtenConfiguration(after) };
  const bytes = itemBytes(readItem(after));
  const findings = checkPublication(fresh, { content: bytes, item: bytes + otherBytes });
  const { errors } = countFindings(findings);
  // Without errors, it is no worse, and the check of a large configuration takes a second.
  const { errors: errorsBefore } = countFindings(errors > 0 ? checkPublication(old) : []);
  const worse =
    errors > errorsBefore
      ? `The new configuration has ${counted(errors, 'error')}, the live one ${counted(errorsBefore, 'error')}.`
      : undefined;
  const isRollback = restores !== undefined;
  const tooLarge = findings.find(({ code }) => code === 'tooLarge');
  const [lost, all] = removedFields(content, after);
  return {
    before: old,
    after: fresh,
    hasEffect: contentDigest(content) !== contentDigest(after),
    findings,
    refusal: tooLarge ? `${clientId} ${tooLarge.message}.` : isRollback ? undefined : worse,
    dangers: [
      ...(lost > all / 2
        ? [`${lost} of ${all} ${all === 1 ? 'field is' : 'fields are'} removed.`]
        : []),
      ...(isRollback && worse ? [worse] : []),
    ],
  };
}

/** Counts removed fields and all fields. Removing more than half is rarely intended. */
function removedFields(before: RawContent, after: RawContent): [removed: number, all: number] {
  const [old = [], fresh = []] = [before, after].map(
    ({ fields }) => fields?.L?.map(({ M }) => M?.id?.S) ?? [],
  );
  const left = new Set(fresh);
  return [old.filter((id) => !left.has(id)).length, old.length];
}

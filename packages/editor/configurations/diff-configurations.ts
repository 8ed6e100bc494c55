import type { ClientState, ConfigsItem } from 'customer-data-api/clients';
import { withoutDerived } from 'customer-data-api/configuration';
import { compare, type Effect, isOfRollout } from 'customer-data-api/effects';
import { createTwoFilesPatch, formatPatch, type StructuredPatch } from 'diff';
import { writeConfiguration } from './configuration-file.ts';

/** A configuration as operators write it, and what to call it. */
export interface NamedConfiguration {
  readonly name: string;
  readonly content: ConfigsItem;
}

/** The differences of two clients. Both are empty if there are none. */
export interface Differences {
  /** The effects of the change from one to the other. */
  readonly effects: readonly Effect[];
  /** The lines of the YAML, as `diff -u` prints them. */
  readonly lines: readonly string[];
}

/** The most edits whose lines are matched one by one: that takes the square of their number. */
const MOST_EDITS = 200;
/** Lines of context around a difference. */
const CONTEXT = 4;

/** Compares the effects of two states on who may call, and on customers without a rollout. */
export function compareLive(before: ClientState, after: ClientState): Effect[] {
  return compare(before, after).filter((one) => !one.isOfCandidate && !isOfRollout(one));
}

/** Compares two configurations line by line, without what the service derives. */
export function differentLines(
  before: NamedConfiguration,
  after: NamedConfiguration,
): readonly string[] {
  const [old = '', fresh = ''] = [before, after].map(({ content }) =>
    writeConfiguration(leanOf(content)),
  );
  if (old === fresh) return [];
  const names = [before.name, after.name] as const;
  const patch =
    createTwoFilesPatch(...names, old, fresh, '', '', { maxEditLength: MOST_EDITS }) ??
    formatPatch(patchOfMiddle(...names, old.split('\n'), fresh.split('\n')));
  return patch.split('\n').slice(1).filter(Boolean);
}

function leanOf({ base: _, ...content }: ConfigsItem): ConfigsItem {
  const { fields } = content;
  return Array.isArray(fields) ? { ...content, fields: fields.map(withoutDerived) } : content;
}

/** A patch that replaces everything between what both texts begin and end with. */
function patchOfMiddle(
  oldFileName: string,
  newFileName: string,
  old: readonly string[],
  fresh: readonly string[],
): StructuredPatch {
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const from = Math.max(0, start - CONTEXT);
  // The last line feed is followed by an empty line, which is none.
  const [oldEnd, newEnd] = [old, fresh].map(({ length }) =>
    Math.min(length - 1, length - end + CONTEXT),
  );
  const hunk = {
    oldStart: from + 1,
    newStart: from + 1,
    oldLines: Number(oldEnd) - from,
    newLines: Number(newEnd) - from,
    lines: [
      ...old.slice(from, start).map((line) => ` ${line}`),
      ...old.slice(start, old.length - end).map((line) => `-${line}`),
      ...fresh.slice(start, fresh.length - end).map((line) => `+${line}`),
      ...old.slice(old.length - end, oldEnd).map((line) => ` ${line}`),
    ],
  };
  return { oldFileName, newFileName, oldHeader: '', newHeader: '', hunks: [hunk] };
}

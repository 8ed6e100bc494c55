import type { ConfigsItem } from 'customer-data-api/clients';
import { shortened } from 'customer-data-api/configuration';
import {
  columnsOf,
  type Line,
  type Output,
  paint,
  printLine,
  wrap,
} from 'customer-data-api-deployment/program';
import { createTwoFilesPatch, formatPatch, type StructuredPatch } from 'diff';
import { briefly } from '../brief-changes.ts';
import { type Change, listChanges } from '../describe-changes.ts';
import { writeConfiguration } from './configuration-file.ts';

/** A configuration as operators write it, and what to call it. */
export interface Named {
  readonly name: string;
  readonly content: ConfigsItem;
  /** The attributes beside it that the service does not know, if it is live. */
  readonly unknown?: readonly string[];
}

/** The differences of two configurations. Both are empty if there are none. */
export interface Differences {
  /** What customers notice. */
  readonly changes: readonly Change[];
  /** The lines of the YAML, as `diff -u` prints them. */
  readonly lines: readonly string[];
}

/** With more edits, lines are not matched one by one: that takes the square of their number. */
const MOST_EDITS = 200;
/** Lines of context around a difference. */
const CONTEXT = 4;
/** The lines that people are shown, of which so many are sentences at most. */
const SHOWN_LINES = 74;
const SHOWN_SENTENCE_LINES = 30;
/** The longest line of YAML that people are shown. */
const SHOWN_CHARACTERS = 300;

/** Compares two configurations. */
export function diffConfigurations(before: Named, after: Named): Differences {
  const [old = '', fresh = ''] = [before, after].map(({ content: { base: _, ...content } }) =>
    writeConfiguration(content),
  );
  if (old === fresh) return { changes: [], lines: [] };
  const names = [before.name, after.name] as const;
  const patch =
    createTwoFilesPatch(...names, old, fresh, '', '', { maxEditLength: MOST_EDITS }) ??
    formatPatch(patchOfMiddle(...names, old.split('\n'), fresh.split('\n')));
  return {
    changes: listChanges(before.content, after.content),
    lines: patch.split('\n').slice(1).filter(Boolean),
  };
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

/** Writes differences for programs: all of them. */
export function differencesToJson({ changes, lines }: Differences) {
  return { changes: changes.map(({ sentence }) => sentence), lines };
}

/**
 * Prints differences for people: first the lines and last, next to a question, the sentences. Of
 * many, it prints those that matter most, and counts the others.
 */
export function printDifferences({ changes, lines }: Differences, stream: Output): void {
  const sentences = firstOf(
    briefly(changes).flatMap((sentence) => wrap(sentence, columnsOf(stream))),
    SHOWN_SENTENCE_LINES,
  );
  for (const line of firstOf(lines, SHOWN_LINES - sentences.length)) {
    printLine(stream, coloured(shortened(line, SHOWN_CHARACTERS)));
  }
  printLine(stream, '');
  for (const line of sentences) printLine(stream, line);
}

function firstOf(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  const left = (lines.length - most + 1).toLocaleString('en-US');
  return [...lines.slice(0, most - 1), `… and ${left} more lines; --json has all`];
}

function coloured(line: string): Line {
  const colours = { '+': 'green', '-': 'red', '@': 'cyan' } as const;
  const [sign] = line;
  return sign && sign in colours ? [paint(colours[sign as keyof typeof colours], line)] : line;
}

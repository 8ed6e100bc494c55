import { shortened } from 'customer-data-api/configuration';
import {
  columnsOf,
  type Line,
  type Output,
  paint,
  wrap,
} from 'customer-data-api-deployment/program';
import { briefChanges } from '../brief-changes.ts';
import type { Differences } from '../diff-configurations.ts';

/** The lines that people are shown, of which so many are sentences at most. */
const SHOWN_LINES = 74;
const SHOWN_SENTENCE_LINES = 30;
/** The longest line of YAML that people are shown. */
const SHOWN_CHARACTERS = 300;

/** Writes differences for programs: all of them. */
export function differencesToJson({ changes, lines }: Differences) {
  return { changes: changes.map(({ sentence }) => sentence), lines };
}

/**
 * Writes differences for people: first the lines and last, next to a question, the sentences. Of
 * many, it writes those that matter most, and counts the others. There are none of equal
 * configurations.
 */
export function differenceLines({ changes, lines }: Differences, stream: Output): Line[] {
  if (lines.length === 0) return [];
  const sentences = firstOf(
    briefChanges(changes).flatMap((sentence) => wrap(sentence, columnsOf(stream))),
    SHOWN_SENTENCE_LINES,
  );
  const shown = firstOf(lines, SHOWN_LINES - sentences.length);
  return [...shown.map((line) => coloured(shortened(line, SHOWN_CHARACTERS))), '', ...sentences];
}

function firstOf(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  const left = (lines.length - most + 1).toLocaleString('en-US');
  return [...lines.slice(0, most - 1), `… and ${left} more lines; --json has all`];
}

function coloured(line: string): Line {
  const colours = { '+': 'green', '-': 'red', '@': 'cyan' } as const;
  const [sign] = line;
  return [sign && sign in colours ? paint(colours[sign as keyof typeof colours], line) : line];
}

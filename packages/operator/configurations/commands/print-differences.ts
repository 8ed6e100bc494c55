import { shortened } from 'customer-data-api/configuration';
import {
  columnsOf,
  type Line,
  type Output,
  paint,
  printLine,
  wrap,
} from 'customer-data-api-deployment/program';
import { briefEffects } from '../brief-effects.ts';
import type { Differences } from '../diff-configurations.ts';

/** The lines that people are shown, of which so many are sentences at most. */
const SHOWN_LINES = 74;
const SHOWN_SENTENCE_LINES = 30;
/** The longest line of YAML that people are shown. */
const SHOWN_CHARACTERS = 300;

/** Writes differences for programs: all of them. */
export function differencesToJson({ effects, lines }: Differences) {
  return { changes: effects.map(({ sentence }) => sentence), lines };
}

/**
 * Prints differences for people: first the lines and last, next to a question, the sentences. Of
 * many, it prints those that matter most, and counts the others.
 */
export function printDifferences({ effects, lines }: Differences, stream: Output): void {
  const sentences = firstOf(
    briefEffects(effects).flatMap((sentence) => wrap(sentence, columnsOf(stream))),
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

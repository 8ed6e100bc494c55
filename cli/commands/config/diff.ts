import { createTwoFilesPatch } from 'diff';
import { describeChanges } from '../../../admin/configuration/describe-changes.ts';
import type { ConfigsItem } from '../../../core/client-attributes.ts';
import { type Line, type Output, paint, printLine } from '../../terminal/terminal.ts';
import { columnsOf, wrap } from '../../terminal/wrap-text.ts';
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
  /** What customers notice, in sentences. */
  readonly changes: readonly string[];
  /** The lines of the YAML, as `diff -u` prints them. */
  readonly lines: readonly string[];
}

/** Compares two configurations. */
export function diffConfigurations(before: Named, after: Named): Differences {
  const [old, fresh] = [before, after].map(({ content: { base: _, ...content } }) =>
    writeConfiguration(content),
  );
  if (old === fresh) return { changes: [], lines: [] };
  const patch = createTwoFilesPatch(before.name, after.name, old ?? '', fresh ?? '');
  return {
    changes: describeChanges(before.content, after.content),
    lines: patch.split('\n').slice(1).filter(Boolean),
  };
}

/** Prints differences for people: first the lines and last, next to a question, the sentences. */
export function printDifferences({ changes, lines }: Differences, stream: Output): void {
  for (const line of lines) printLine(stream, coloured(line));
  printLine(stream, '');
  for (const change of changes) {
    for (const line of wrap(change, columnsOf(stream))) printLine(stream, line);
  }
}

function coloured(line: string): Line {
  const colours = { '+': 'green', '-': 'red', '@': 'cyan' } as const;
  const [sign] = line;
  return sign && sign in colours ? [paint(colours[sign as keyof typeof colours], line)] : line;
}

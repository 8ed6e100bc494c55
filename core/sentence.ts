/*
 * Sentences for people, in parts. A value can be written from right to left, and then reorders what
 * stands beside it: a page keeps each apart, and a terminal prints them as they are.
 * https://www.unicode.org/reports/tr9/
 */

import { shortened } from './text.ts';

/** Our own words, a value that somebody entered, or a command to paste, which stays whole. */
type Part = string | { readonly value: string } | { readonly command: string };

export type Parts = readonly Part[];

/** A sentence or a line. A string has no value of anybody else. */
export type Sentence = string | Parts;

/** Writes a sentence. A string that is inserted is a value; own words are inserted as parts. */
export function say(
  words: TemplateStringsArray,
  ...inserted: readonly (string | number | Parts)[]
): Parts {
  const parts = words.flatMap((text, at): Parts => {
    const one = inserted[at] ?? [];
    if (typeof one === 'object') return [text, ...one];
    return typeof one === 'number' ? [`${text}${one}`] : [text, { value: one }];
  });
  return parts.filter((part) => part !== '');
}

/** Keeps apart what a text has in quotes, as JSON writes it. */
export function withQuotes(text: string): Parts {
  const parts = text.split(/("(?:[^"\\]|\\.)*")/);
  return parts.map((part, at) => (at % 2 === 0 ? part : { value: part }));
}

/** Returns the text of a sentence, as a terminal prints it. */
export function plainText(sentence: Sentence): string {
  return typeof sentence === 'string' ? sentence : sentence.map(textOf).join('');
}

/** Cuts a sentence to so many characters, and adds an ellipsis. */
export function shortenedParts(parts: Parts, maxCharacters: number): Parts {
  let left = maxCharacters;
  return parts.flatMap((part) => {
    const text = textOf(part);
    const isLeft = left > 0;
    left -= text.length;
    if (left >= 0) return [part];
    if (!isLeft) return [];
    const cut = shortened(text, text.length + left);
    return [typeof part === 'string' ? cut : { value: cut }];
  });
}

function textOf(part: Part): string {
  if (typeof part === 'string') return part;
  return 'value' in part ? part.value : part.command;
}

/** Joins sentences by words between them. */
export function joined(sentences: readonly Parts[], between: string): Parts {
  return sentences.flatMap((one, at) => (at === 0 ? one : [between, ...one]));
}

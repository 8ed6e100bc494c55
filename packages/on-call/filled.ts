import { type Parts, say } from 'customer-data-api/sentences';
import { suggested } from 'customer-data-api-deployment/program';

/** The names of facts in a text, which has them in braces. */
type NamesIn<TText extends string> = TText extends `${string}{${infer TName}}${infer TRest}`
  ? TName | NamesIn<TRest>
  : never;

/** The formats of facts by their names. Any other fact is a value or a number. */
type Formats = Readonly<Record<string, (fact: never) => Parts>>;

/** The facts of a text. */
export type FactsIn<TText extends string, TFormats extends Formats> = {
  readonly [TName in NamesIn<TText>]: TName extends keyof TFormats
    ? Parameters<TFormats[TName]>[0]
    : string | number;
};

/** Fills a text with facts. What it has in backticks is a command of this program to suggest. */
export function filled(
  text: string,
  facts: Readonly<Record<string, unknown>>,
  formats: Formats,
): Parts {
  return text.split(/(\{\w+\}|`[^`]+`)/).flatMap((part): Parts => {
    if (part.startsWith('`')) {
      const words = part.slice(1, -1).split(' ');
      return [{ command: suggested(...words.map((word) => filledWord(word, facts))) }];
    }
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return part === '' ? [] : [part];
    const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
    return format ? format(facts[name] as never) : say`${String(facts[name])}`;
  });
}

function filledWord(word: string, facts: Readonly<Record<string, unknown>>): string {
  return word.replace(/^\{(\w+)\}$/, (_, name) => String(facts[name]));
}

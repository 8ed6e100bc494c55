import { authorName } from 'customer-data-api/configuration';
import {
  type Effect,
  effectSentence,
  joined,
  type Parts,
  plainText,
  say,
  type Sentence as Text,
} from 'customer-data-api/sentences';
import { TEXTS } from '../texts.ts';

/** Draws a sentence: each value apart, in its own direction, and a command to be copied. */
export function Sentence({ children }: { readonly children: Text }) {
  if (typeof children === 'string') return children;
  return children.map((part) => {
    if (typeof part === 'string') return part;
    return 'value' in part ? <bdi>{part.value}</bdi> : <code>{part.command}</code>;
  });
}

/** Lists names in a sentence, each apart. */
export function named(names: readonly string[]): Parts {
  return joined(
    names.map((name) => say`${name}`),
    ', ',
  );
}

/** Shows names in a sentence, each apart. */
export function Names({ children }: { readonly children: readonly string[] }) {
  return <Sentence>{named(children)}</Sentence>;
}

/** Names the author of a change, after its time. */
export function By({ author }: { readonly author: string }) {
  return (
    <span class="quiet">
      {' by '}
      <bdi>{authorName(author)}</bdi>
    </span>
  );
}

/** A list of sentences, or of lines. */
export function Sentences({ children }: { readonly children: readonly Text[] }) {
  return (
    <ul>
      {children.map((sentence) => (
        <li key={plainText(sentence)}>
          <Sentence>{sentence}</Sentence>
        </li>
      ))}
    </ul>
  );
}

/** The effects of a change on customers, in sentences. */
export function Effects({ children }: { readonly children: readonly Effect[] }) {
  const sentences = children.map((one) => effectSentence(one));
  return <Sentences>{sentences.length > 0 ? sentences : [TEXTS.noEffects]}</Sentences>;
}

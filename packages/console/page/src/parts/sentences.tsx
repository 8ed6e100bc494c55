import { TEXTS } from '../texts.ts';

/** A list of sentences, or of lines. */
export function Sentences({ children }: { readonly children: readonly string[] }) {
  return (
    <ul>
      {children.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** The effects of a change on customers, in sentences. */
export function Effects({ children }: { readonly children: readonly string[] }) {
  return <Sentences>{children.length > 0 ? children : [TEXTS.noEffects]}</Sentences>;
}

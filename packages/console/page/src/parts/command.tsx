interface SuggestedProps {
  readonly children: string | { readonly message: string; readonly command?: string | undefined };
}

/** Draws a text, and the command in which it ends. */
export function Suggested({ children }: SuggestedProps) {
  if (typeof children === 'string') return children;
  const { message, command } = children;
  return (
    <>
      {message} {command !== undefined && <code>{command}</code>}
    </>
  );
}

interface Props {
  /** Each with the words that say when to run it. */
  readonly children: readonly (readonly [what: string, command: string])[];
}

/** Shows, on demand, the commands for what the page does not do, or not alone. */
export function Commands({ children }: Props) {
  return (
    <details class="command">
      <summary>On the command line</summary>
      <dl>
        {children.map(([what, command]) => (
          <>
            <dt>{what}</dt>
            <dd>
              <code>{command}</code>
            </dd>
          </>
        ))}
      </dl>
    </details>
  );
}

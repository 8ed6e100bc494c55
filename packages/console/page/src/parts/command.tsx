/** A task of an operator, and the command that does the same. */
export type NamedCommands = readonly (readonly [what: string, command: string | undefined])[];

/** Shows the commands of all actions of a screen, on demand. A click selects all of one. */
export function Commands({ children }: { readonly children: NamedCommands }) {
  const known = children.filter(([, command]) => command !== undefined);
  if (known.length === 0) return null;
  return (
    <details class="command">
      <summary>On the command line</summary>
      <dl>
        {known.map(([what, command]) => (
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

/** Shows the command that does the same as a dialog, on demand. */
export function Command({ children }: { readonly children: string | undefined }) {
  return <Commands>{[['', children]]}</Commands>;
}

interface Props {
  /** True if one of them is what helps now. */
  readonly isOpen?: boolean;
  /** The commands, each with the words that say when to run it. */
  readonly children: readonly (readonly [what: string, command: string])[];
}

/** Shows, on demand, the commands for what the page does not do, or not alone. */
export function Commands({ isOpen = false, children }: Props) {
  return (
    <details class="command" open={isOpen}>
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

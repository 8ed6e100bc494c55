import { Icon } from './icons.tsx';

interface Props {
  /** The document and its section, such as `runbook.md#erase-a-user`. */
  readonly to: string;
  readonly children: string;
}

/** Leads to a document, in another tab, so that nothing on this page is lost. */
export function DocumentLink({ to, children }: Props) {
  return (
    <a href={`docs/${to}`} target="_blank" rel="noreferrer" title="Opens in another tab">
      {children}
      <span class="hidden">, opens in another tab</span> <Icon name="elsewhere" />
    </a>
  );
}

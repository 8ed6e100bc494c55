import { fileText } from 'customer-data-api/file-text';
import { useRef } from 'preact/hooks';
import { Button } from './button.tsx';

/** The text of a file, or the reason why it has none, in a sentence. */
type FileText = { readonly text: string } | { readonly text?: never; readonly refusal: string };

interface Props {
  /** The ends of the names that can be chosen, such as `.csv`. */
  readonly accept: string;
  readonly onRead: (file: FileText) => void;
  readonly children: string;
}

/** Reads a file that a person chooses, as the commands read it. */
export function FileButton({ accept, onRead, children }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const read = async () => {
    const [file] = input.current?.files ?? [];
    // The same file can be chosen again.
    if (input.current) input.current.value = '';
    if (file) onRead(await textOf(file));
  };
  return (
    <>
      <Button onClick={() => input.current?.click()}>{children}</Button>
      <input type="file" hidden ref={input} aria-label={children} {...{ accept }} onChange={read} />
    </>
  );
}

async function textOf(file: File): Promise<FileText> {
  try {
    return { text: fileText(new Uint8Array(await file.arrayBuffer())) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { refusal: 'The file is not in UTF-8; save it as UTF-8.' };
  }
}

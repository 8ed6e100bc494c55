import { fileText } from 'customer-data-api/file-text';

/** The text of a file, or the reason why it has none, in words that follow its name. */
type FileText = { readonly text: string } | { readonly text?: never; readonly refusal: string };

/** Reads the text of a file that a person chose, as the commands read it; undefined for none. */
export async function readFile(file: File | undefined): Promise<FileText | undefined> {
  if (!file) return undefined;
  try {
    return { text: fileText(new Uint8Array(await file.arrayBuffer())) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { refusal: 'is not in UTF-8; save it as UTF-8' };
  }
}

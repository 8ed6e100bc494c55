import { fileText } from 'customer-data-api/file-text';

/** Reads the text of a file that a person chose, as the commands read it; undefined for none. */
export async function readFile(file: File | undefined): Promise<string | undefined> {
  return file && fileText(new Uint8Array(await file.arrayBuffer()));
}

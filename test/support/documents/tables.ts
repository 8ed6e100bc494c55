import { readDocument } from './document.ts';

/**
 * The first column of a table, in the order of the alphabet, without backticks. The table is found
 * by the first cell of its header.
 */
export async function namesIn(file: string, firstHeader: string): Promise<string[]> {
  const { tables } = await readDocument(file);
  const found = tables.find(({ header }) => header[0] === firstHeader);
  return (found?.rows ?? []).map(([name = '']) => name.replace(/^`(.*)`$/, '$1')).sort();
}

import { readDocument } from './document.ts';

/**
 * A table of a document, found by the first cell of its header: the cells of each row, without
 * backticks.
 */
export async function tableOf(file: string, firstHeader: string): Promise<string[][]> {
  const { tables } = await readDocument(file);
  const found = tables.find(({ header }) => header[0] === firstHeader);
  return (found?.rows ?? []).map((row) => row.map((cell) => cell.replace(/^`(.*)`$/, '$1')));
}

/** The first column of a table, in the order of the alphabet. */
export async function namesIn(file: string, firstHeader: string): Promise<string[]> {
  return (await tableOf(file, firstHeader)).map(([name = '']) => name).sort();
}

/** The names in the second column of a table, by the first, without what is in parentheses. */
export async function groupsIn(file: string, firstHeader: string): Promise<[string, string][]> {
  return (await tableOf(file, firstHeader)).flatMap(([group = '', names = '']) =>
    names
      .replace(/\([^)]*\)/g, '')
      .split(',')
      .map((name): [string, string] => [name.replace(/[` ]/g, ''), group]),
  );
}

import { afterAll } from 'vitest';
import { newFolder } from './new-folder.ts';

/** Makes a folder that is removed after the tests of the file. */
export async function temporaryFolder(): Promise<string> {
  const { path, remove } = await newFolder();
  afterAll(remove);
  return path;
}

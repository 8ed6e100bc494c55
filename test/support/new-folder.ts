import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a temporary folder, which is removed at the end of the block that declares it.
 *
 * @param root the root of the programs that use it, if they have another one.
 */
export const newFolder = (root = '') =>
  mkdtempDisposable(join(root, tmpdir(), 'customer-data-api-'));

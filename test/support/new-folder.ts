import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a temporary folder, which is removed at the end of the block that declares it. */
export const newFolder = () => mkdtempDisposable(join(tmpdir(), 'customer-data-api-'));

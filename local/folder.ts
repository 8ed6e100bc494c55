import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Option } from 'commander';

/** Names the folder where the local server keeps what it writes, and finds it again; git ignores the default. */
export const FOLDER_OPTION = new Option(
  '--folder <folder>',
  'where the local server writes its outputs and the key that signs tokens',
)
  .default(fileURLToPath(new URL('../.local', import.meta.url)), '.local')
  .argParser((folder) => resolve(folder));

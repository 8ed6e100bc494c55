import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Option } from 'commander';

/** The option that names the folder of a local server's files. Git ignores the default. */
export const FOLDER_OPTION = new Option(
  '--folder <folder>',
  'where the local server writes its outputs, its events and the key that signs tokens',
)
  .default(fileURLToPath(new URL('../.local', import.meta.url)), '.local')
  .argParser((folder) => resolve(folder));

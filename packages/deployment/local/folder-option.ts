import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Option } from 'commander';

/** The default folder of a local server's files. Git ignores it. */
export const LOCAL_FOLDER = fileURLToPath(new URL('../../../.local', import.meta.url));

/** The option that names the folder of a local server's files. */
export const FOLDER_OPTION = new Option(
  '--folder <folder>',
  'the directory of the outputs, the events and the signing key of the local server',
)
  .default(LOCAL_FOLDER, '.local')
  .argParser((folder) => resolve(folder));

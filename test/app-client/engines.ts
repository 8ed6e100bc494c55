import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/*
 * Hermes is the engine of React Native. The package has the engine alone, for Linux, macOS and
 * Windows on x86-64.
 */
const HERMES = ['linux64-bin', 'osx-bin', 'win64-bin'].map((folder) =>
  fileURLToPath(new URL(`node_modules/hermes-engine-cli/${folder}/hermes`, import.meta.url)),
);
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];

/** The first of some programs that runs here; undefined if there is none. */
async function find(programs: readonly string[], option: string): Promise<string | undefined> {
  for (const program of programs) {
    if (await promisify(execFile)(program, [option]).then(Boolean, () => false)) return program;
  }
  return undefined;
}

export const findBrowser = () => find(BROWSERS, '--version');
export const findHermes = () => find(HERMES, '-version');

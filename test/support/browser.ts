import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];

/** The first of some programs that runs here; undefined if there is none. */
export async function findProgram(
  programs: readonly string[],
  option: string,
): Promise<string | undefined> {
  for (const program of programs) {
    if (await promisify(execFile)(program, [option]).then(Boolean, () => false)) return program;
  }
  return undefined;
}

export const findBrowser = () => findProgram(BROWSERS, '--version');

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/* Hermes is the engine of React Native. The package has the engine alone, for Linux, macOS and Windows on x86-64. */

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'] as const;
const HERMES_FOLDERS: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux64-bin',
  darwin: 'osx-bin',
  win32: 'win64-bin',
};
const HERMES = fileURLToPath(
  new URL(
    `node_modules/hermes-engine-cli/${HERMES_FOLDERS[process.platform]}/hermes`,
    import.meta.url,
  ),
);

const runs = (program: string, option: string) =>
  promisify(execFile)(program, [option]).then(Boolean, () => false);

/** The command that starts a browser; undefined if there is none. */
export async function findBrowser(): Promise<string | undefined> {
  for (const name of BROWSERS) if (await runs(name, '--version')) return name;
  return undefined;
}

/** The path of Hermes; undefined if it does not run here. */
export async function findHermes(): Promise<string | undefined> {
  return (await runs(HERMES, '-version')) ? HERMES : undefined;
}

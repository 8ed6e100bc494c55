import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readDocument } from 'customer-data-api/testing/documents/document';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Runs the compiler of the project. Its errors are in the rejection. */
export async function compile(...args: readonly string[]): Promise<void> {
  const tsc = here('../../node_modules/.bin/tsc');
  await promisify(execFile)(tsc, args).catch(({ stdout }) => Promise.reject(new Error(stdout)));
}

/** Builds the entry for React Native into a folder, as `npm pack` does. */
export async function buildEntry(folder: string): Promise<void> {
  const project = here('../../packages/sdk/tsconfig.react-native.json');
  await compile('--project', project, '--outDir', folder);
}

/** Returns the app of the README of the app SDK. */
export async function readmeApp(): Promise<string> {
  const { blocks } = await readDocument('packages/sdk/README.md');
  const app = blocks.find(({ text }) => text.includes('customer-data-api-sdk/react-native'));
  if (!app) throw new Error('The README has no app in React Native.');
  return app.text;
}

import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CommandError } from '../core/platform/command-error.ts';

const RELEASES = new URL('releases/', import.meta.url);
/** Pinned by the go.mod and go.sum in it. */
const OASDIFF = fileURLToPath(new URL('oasdiff', import.meta.url));
const ACCEPTED = fileURLToPath(new URL('accepted.txt', RELEASES));

const RELEASE = /^\d+\.\d+\.\d+\.json$/;

/**
 * Finds the newest of the released documents.
 *
 * @param names the file names in `openapi/releases`, such as `0.1.0.json`; others are ignored.
 * @throws CommandError when there is none.
 */
export function newestRelease(names: readonly string[]): string {
  const [newest] = names
    .filter((name) => RELEASE.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  if (!newest) throw new CommandError('There is no released document in openapi/releases.');
  return newest;
}

/** The path of the document of the last release. */
export async function lastReleasedDocument(): Promise<string> {
  return fileURLToPath(new URL(newestRelease(await readdir(RELEASES)), RELEASES));
}

/**
 * Compares two OpenAPI documents with oasdiff. Changes in `openapi/releases/accepted.txt` do not count.
 *
 * @param older path of the older document
 * @param newer path of the newer document
 * @throws CommandError with the changes that break clients of the older document, or when Go is missing.
 */
export async function expectNoBreakingChange(older: string, newer: string): Promise<void> {
  const oasdiff = ['tool', '-C', OASDIFF, 'oasdiff', 'breaking', '--fail-on', 'ERR'];
  const format = ['--err-ignore', ACCEPTED, '--format', 'singleline'];
  try {
    await promisify(execFile)('go', [...oasdiff, ...format, older, newer]);
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException & { stdout?: string; stderr?: string });
  }
}

function explained(error: NodeJS.ErrnoException & { stdout?: string; stderr?: string }) {
  if (error.code === 'ENOENT') {
    return new CommandError('oasdiff is a Go program: install Go 1.24 or newer (https://go.dev).');
  }
  return new CommandError((error.stdout || error.stderr || error.message).trimEnd());
}

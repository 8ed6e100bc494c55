import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { UserError } from 'customer-data-api-deployment/program';
import { RELEASES } from './released-documents.ts';

/** Pinned by its go.mod and go.sum. */
const OASDIFF = fileURLToPath(new URL('oasdiff', import.meta.url));
/** Changes that oasdiff only warns about, although they break generated code. */
const SEVERITIES = fileURLToPath(new URL('oasdiff/severity-levels.txt', import.meta.url));
const ACCEPTED = fileURLToPath(new URL('accepted.txt', RELEASES));

/**
 * Compares the OpenAPI documents at two paths with oasdiff. Changes in
 * `openapi/releases/accepted.txt` do not count.
 *
 * @throws UserError if Go is missing, or with the changes that break code generated from `older`.
 */
export async function expectNoBreakingChange(older: string, newer: string): Promise<void> {
  const oasdiff = ['tool', '-C', OASDIFF, 'oasdiff', 'breaking', '--fail-on', 'ERR'];
  const levels = ['--severity-levels', SEVERITIES, '--err-ignore', ACCEPTED];
  try {
    await promisify(execFile)('go', [
      ...oasdiff,
      ...levels,
      '--format',
      'singleline',
      older,
      newer,
    ]);
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException & { stdout?: string; stderr?: string });
  }
}

function explained(error: NodeJS.ErrnoException & { stdout?: string; stderr?: string }) {
  if (error.code === 'ENOENT') {
    return new UserError('oasdiff is a Go program: install Go 1.24 or newer (https://go.dev).');
  }
  return new UserError((error.stdout || error.stderr || error.message).trimEnd());
}

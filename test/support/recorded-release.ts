import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Returns the file with the cloud assembly of a release, which `npm run record-release` writes. */
export function recordedAssembly(version: string): string {
  return fileURLToPath(new URL(`../../lab/e2e/releases/${version}.tgz`, import.meta.url));
}

/** Unpacks the cloud assembly of a release into a folder below `folder`, which it returns. */
export async function unpackRelease(folder: string, version: string): Promise<string> {
  const cloudAssembly = join(folder, `release-${version}`);
  await mkdir(cloudAssembly, { recursive: true });
  await promisify(execFile)('tar', ['-xzf', recordedAssembly(version), '-C', cloudAssembly]);
  return cloudAssembly;
}

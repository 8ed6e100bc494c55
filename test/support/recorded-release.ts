import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lastReleasedDocument } from './released-documents.ts';

/** Returns the file with the cloud assembly of a release, which `npm run record-release` writes. */
export function recordedAssembly(version: string): string {
  return fileURLToPath(new URL(`../../lab/e2e/releases/${version}.tgz`, import.meta.url));
}

/** The last release. */
export interface Release {
  readonly version: string;
  readonly cloudAssembly: string;
}

/** Unpacks the last release into a folder below `folder`. */
export async function unpackLastRelease(folder: string): Promise<Release> {
  const version = basename(await lastReleasedDocument(), '.json');
  const cloudAssembly = join(folder, `release-${version}`);
  await mkdir(cloudAssembly);
  await promisify(execFile)('tar', ['-xzf', recordedAssembly(version), '-C', cloudAssembly]);
  return { version, cloudAssembly };
}

import { cp, mkdir, readdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../new-folder.ts';
import { PROJECT } from './document.ts';

const ROOT = fileURLToPath(PROJECT);
/** Folders that no command of the documents needs. */
const LEFT_OUT = ['.git', '.local', '.venv', 'build', 'cdk.out', 'docs', 'lab', 'node_modules'];

/**
 * Copies the project into a temporary folder, where the commands of the documents run unchanged. A
 * server that writes its outputs into the folder is the local one and the deployment:
 * `.local/outputs.json` and `outputs.json` are the same file.
 *
 * @returns the folder, and in it the folder of the program that stands in for the AWS CLI.
 */
export async function copyProject(): Promise<{ folder: string; programs: string }> {
  const { path: folder } = await newFolder();
  const names = (await readdir(ROOT)).filter((name) => !LEFT_OUT.includes(name));
  const filter = (file: string) => basename(file) !== 'node_modules';
  await Promise.all(
    names.map((name) => cp(join(ROOT, name), join(folder, name), { recursive: true, filter })),
  );
  await linkPackages(folder);
  await symlink('.', join(folder, '.local'));
  const programs = join(folder, 'programs');
  await mkdir(programs);
  const aws = join(programs, 'aws');
  const cli = join(ROOT, 'packages/command-line/test/support/documents/aws-cli.ts');
  await writeFile(aws, `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`, { mode: 0o755 });
  return { folder, programs };
}

/** Links the packages of npm in a copy of the project, whose own packages are the copy's. */
export async function linkPackages(folder: string): Promise<void> {
  const packages = join(folder, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    const original = join(ROOT, 'node_modules', name);
    const isOwn = name.startsWith('customer-data-api');
    await symlink(isOwn ? await readlink(original) : original, join(packages, name));
  }
}

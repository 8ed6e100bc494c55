import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { readDocument } from '../../test/support/documents/document.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { pathIn } from '../queues/campaign.ts';
import type { QueueProgram } from '../queues/phone.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The folder that `make-chroot` makes. */
const CHROOT = process.env.SWIFT_CHROOT ?? '/var/lib/customer-data-api/swift';

export const NO_COMPILER = `There is no Swift compiler, neither on the path nor in ${CHROOT}, where lab/swift/make-chroot puts one.`;

/** The Swift package of the examples, the programs of the lane that use it, and what they read. */
export const EXAMPLE = 'examples/apps/swift';
export const PROGRAMS = 'lab/swift/programs';
export const VECTORS = 'packages/sdk/test-vectors';

/** A Swift compiler on the path, or else in the chroot, which needs root. */
interface Toolchain {
  /** Its root, which is that of the programs, too; undefined for the machine's. */
  readonly root?: string;
  /** Goes before a command, whose process is then that of this one. */
  readonly prefix: readonly string[];
}

export function findToolchain(): Toolchain | undefined {
  if (spawnSync('swiftc', ['--version']).status === 0) return { prefix: [] };
  if (process.getuid?.() !== 0 || !existsSync(join(CHROOT, 'usr/bin/swiftc'))) return undefined;
  // The compiler reads /proc, which is mounted for this process only.
  return { root: CHROOT, prefix: ['unshare', '--mount-proc', `--root=${CHROOT}`] };
}

export type Copy = Awaited<ReturnType<typeof copyPackages>>;

/** Copies the packages to where the toolchain can build them. */
export async function copyPackages({ root, prefix }: Toolchain) {
  const folder = await newFolder(root);
  for (const path of [EXAMPLE, PROGRAMS, VECTORS]) {
    const isSource = (file: string) => !file.endsWith('.build');
    await cp(join(PROJECT, path), join(folder.path, path), { recursive: true, filter: isSource });
  }
  // The samples of its README are compiled with the programs.
  const { blocks } = await readDocument(`${EXAMPLE}/README.md`);
  const samples = blocks.filter(({ language }) => language === 'swift').map(({ text }) => text);
  await writeFile(join(folder.path, PROGRAMS, 'Sources/Vectors/Samples.swift'), samples.join('\n'));
  const inside = (path: string) => pathIn(root, join(folder.path, path));
  // The compiler leaves temporary folders behind.
  const env = { ...process.env, TMPDIR: inside('.') };
  const commandOf = (...args: readonly string[]): QueueProgram => {
    const [command = '', ...rest] = [...prefix, ...args];
    return { command, args: rest, ...(root !== undefined && { root }) };
  };
  return {
    folder: folder.path,
    /** Returns the path of a file of the copy as programs see it. */
    inside,
    env,
    /**
     * Builds a product of a package. Returns the program.
     *
     * @throws UserError with what the compiler says, also if that is only a warning.
     */
    build: async (path: string, product: string): Promise<QueueProgram> => {
      const options = ['--package-path', inside(path), '--product', product];
      const strict = ['-Xswiftc', '-warnings-as-errors'];
      const { command, args } = commandOf('swift', 'build', ...options, ...strict);
      await promisify(execFile)(command, args, { env }).catch((error) => {
        throw new UserError(`${error.stdout}${error.stderr}`);
      });
      return commandOf(join(inside(path), '.build/debug', product));
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

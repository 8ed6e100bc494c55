import { spawnSync } from 'node:child_process';

/** Commands that succeed if a program is installed, in a version that is new enough. */
const PROBES = {
  JDK: ['javac', '-version'],
  Maven: ['mvn', '-version'],
  Go: ['go', 'version'],
  'Python 3.10': ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 10))'],
} as const;

type Program = keyof typeof PROBES;

/** The programs that clients are generated, built and run with. */
export const PROGRAMS = Object.keys(PROBES) as Program[];

/** The one language to try; undefined for all. */
export const { ONLY_CLIENT } = process.env;

export function isInstalled(program: Program): boolean {
  const [command, ...args] = PROBES[program];
  return spawnSync(command, args).status === 0;
}

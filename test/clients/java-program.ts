import { readFile } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

/** For programs in Java that run for seconds. Compiling them for speed would take half of their CPU time. */
export const JVM_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] as const;

/**
 * The arguments of `java` that run a program which `main.ts` has built.
 *
 * @param folder the URL of its Maven project.
 */
export async function argumentsOf(folder: URL, mainClass: string): Promise<string[]> {
  const target = fileURLToPath(new URL('target/', folder));
  const dependencies = await readFile(`${target}classpath`, 'utf8');
  const classpath = [`${target}classes`, dependencies].join(delimiter);
  return [...JVM_OPTIONS, '-cp', classpath, mainClass];
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const SAMPLE_MS = 200;

/** The result of a command. */
export interface Measured {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly seconds: number;
  /** The most memory that its process had; undefined on a system without /proc. */
  readonly peakMegabytes: number | undefined;
}

/**
 * Runs a command of `customer-data` in a process of its own.
 *
 * @param isEnough says when it is interrupted, as by Ctrl-C.
 */
export async function measure(
  name: string,
  args: readonly string[],
  print: (line: string) => void,
  isEnough: () => Promise<boolean> = async () => false,
): Promise<Measured> {
  print(`$ customer-data ${[name, ...args].join(' ')}`);
  const start = performance.now();
  const child = spawn(process.execPath, ['bin/customer-data.ts', ...name.split(' '), ...args], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      print(`  ${line}`);
    });
  }
  let peak: number | undefined;
  const sampling = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? peak);
    // Once: the second signal would end the process before it can say what it did.
    if ((await isEnough()) && !child.killed) child.kill('SIGINT');
  }, SAMPLE_MS);
  await once(child, 'close');
  clearInterval(sampling);
  const measured = {
    code: child.exitCode,
    lines,
    seconds: Math.round((performance.now() - start) / 1000),
    peakMegabytes: peak && Math.round(peak / 1024),
  };
  print(`  (${measured.seconds} s, ${measured.peakMegabytes} MB, exit code ${measured.code})\n`);
  return measured;
}

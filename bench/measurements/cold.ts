import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Bundle, type Bundles, OPERATIONS, type Operation } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import { CPU_MEGABYTES, withMemory } from '../lambda/memory.ts';
import { byPart, type Samples, samplesInTurn } from './rounds.ts';

const COLD_START = fileURLToPath(new URL('cold-start.mjs', import.meta.url));

/**
 * Parts of a cold start in milliseconds, the peak of the resident memory, and the response size.
 */
const PARTS = [
  ...(['total', 'boot', 'loading', 'initialising', 'firstCall'] as const),
  ...(['peakMegabytes', 'responseBytes'] as const),
] as const;
type Part = (typeof PARTS)[number];

/**
 * A sample of each part for each round. `boot` is Node itself, `loading` reads and parses the
 * modules, `initialising` runs them, and `firstCall` is the handler.
 */
export type ColdStarts = Readonly<Record<Part, Samples>>;

/** The cold starts of one operation of a candidate. */
export interface ColdFigures {
  readonly candidate: string;
  readonly operation: Operation;
  /** Size of the bundle. */
  readonly bytes: number;
  readonly measured: ColdStarts;
  /** `total` of our function in the same rounds. */
  readonly ours: Samples;
}

/**
 * Measures cold starts, from a new process to the first response, with the candidates in turn.
 *
 * @param others are compared with ours in the same rounds.
 * @returns figures of ours and the others, in the order of `OPERATIONS`.
 */
export async function coldStarts(
  ours: Bundles,
  others: readonly Bundles[],
  environment: Environment,
  rounds: number,
): Promise<readonly ColdFigures[]> {
  const candidates = [ours, ...others];
  const bundles = OPERATIONS.flatMap((operation) => candidates.map((bundle) => bundle[operation]));
  for (const { folder } of bundles) await addMarker(folder);
  const samplesOf = await samplesInTurn(bundles, rounds, (one) => coldStart(one, environment));
  const measuredOf = (bundle: Bundle) => byPart(PARTS, samplesOf(bundle));
  return bundles.map((bundle) => {
    const { candidate, operation, bytes } = bundle;
    const measured = measuredOf(bundle);
    return { candidate, operation, bytes, measured, ours: measuredOf(ours[operation]).total };
  });
}

/**
 * Node loads all modules before it runs the first one, which is the first import. That one notes
 * the time, and so separates loading from running.
 */
async function addMarker(folder: string): Promise<void> {
  await writeFile(join(folder, 'marker.mjs'), 'globalThis.loadedAt = performance.now();\n');
  const start = "import './marker.mjs';\nexport { handler } from './index.mjs';\n";
  await writeFile(join(folder, 'start.mjs'), start);
}

async function coldStart({ folder, operation, candidate }: Bundle, environment: Environment) {
  const [event] = environment.events(operation, 1);
  const eventFile = join(folder, 'event.json');
  await writeFile(eventFile, JSON.stringify(event));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [COLD_START, join(folder, 'start.mjs'), eventFile],
    // With this much memory, a function has a whole CPU.
    { env: withMemory(environment.variables(operation), CPU_MEGABYTES) },
  );
  // The handler may log before it responds.
  const { statusCode, ...sample } = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{"statusCode"')));
  if (statusCode !== 200) {
    throw new Error(`${candidate} responded to ${operation} with status ${statusCode}.`);
  }
  return sample as Record<Part, number>;
}

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bundle } from './candidates.ts';
import { inTurn, type Samples } from './statistics.ts';
import type { World } from './world.ts';

const START = fileURLToPath(new URL('cold-start.mjs', import.meta.url));

/** Parts of a cold start: milliseconds, megabytes for the memory, and the size of the answer. */
type Part =
  | 'total'
  | 'boot'
  | 'loading'
  | 'initialising'
  | 'firstCall'
  | 'peakMegabytes'
  | 'answerBytes';

/** A sample of each part for each round. */
export type ColdStarts = Readonly<Record<Part, Samples>>;

/**
 * Starts each bundle in a new process, in turns, up to the first answered event.
 *
 * `boot` is Node itself, `loading` reads and parses the modules, `initialising` runs them, `firstCall` is the handler.
 */
export async function coldStarts(
  bundles: readonly Bundle[],
  world: World,
  rounds: number,
): Promise<ReadonlyMap<Bundle, ColdStarts>> {
  const samples = new Map(bundles.map((bundle) => [bundle, [] as Record<Part, number>[]]));
  for (const { folder } of bundles) await addMarker(folder);
  for (let round = 0; round < rounds; round++) {
    for (const bundle of inTurn(bundles, round)) {
      samples.get(bundle)?.push(await coldStart(bundle, world));
    }
  }
  return new Map([...samples].map(([bundle, all]) => [bundle, byPart(all)]));
}

function byPart(all: readonly Record<Part, number>[]): ColdStarts {
  const of = (part: Part) => all.map((sample) => sample[part]);
  return {
    total: of('total'),
    boot: of('boot'),
    loading: of('loading'),
    initialising: of('initialising'),
    firstCall: of('firstCall'),
    peakMegabytes: of('peakMegabytes'),
    answerBytes: of('answerBytes'),
  };
}

/** Modules are run when all of them are loaded, the first import first: a marker tells one from the other. */
async function addMarker(folder: string): Promise<void> {
  await writeFile(join(folder, 'marker.mjs'), 'globalThis.loadedAt = performance.now();\n');
  const start = "import './marker.mjs';\nexport { handler } from './index.mjs';\n";
  await writeFile(join(folder, 'start.mjs'), start);
}

async function coldStart({ folder, operation, contestant }: Bundle, world: World) {
  const [event] = world.events(operation, 1);
  const eventFile = join(folder, 'event.json');
  await writeFile(eventFile, JSON.stringify(event));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [START, join(folder, 'start.mjs'), eventFile],
    { env: world.environment(operation) },
  );
  // A handler may log before it answers.
  const { statusCode, ...sample } = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{"statusCode"')));
  if (statusCode !== 200) throw new Error(`${contestant} answers ${operation} with ${statusCode}.`);
  return sample as Record<Part, number>;
}

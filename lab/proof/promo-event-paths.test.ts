import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPaths } from './paths.ts';
import { type Replay, startReplay } from './replay.ts';

/* Paths of the model in lab/proof/PromoEvents.tla. `npm run proof` replays more of them. */

const FIXTURE = new URL('promo-event-paths.txt', import.meta.url);

/** A timeout for the paths of `npm run proof`. Those of `npm test` take seconds. */
const TIMEOUT_MS = 3_600_000;

let service: Replay;
beforeAll(async () => {
  service = await startReplay();
});
afterAll(() => service.stop());

test(
  'the functions, the redrive and the copy do after each step what the model says',
  async () => {
    const paths = readPaths(await readFile(process.env.PROMO_EVENT_PATHS ?? FIXTURE, 'utf8'));
    expect(paths.length).toBeGreaterThanOrEqual(8);
    for (const [index, path] of paths.entries()) await service.replay(path, `user-${index}`);
  },
  TIMEOUT_MS,
);

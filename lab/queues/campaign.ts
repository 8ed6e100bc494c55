import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { newFolder } from '../../test/support/new-folder.ts';
import { randomNumbers } from '../../test/support/random-numbers.ts';
import { type Observed, type QueueProgram, runPhone } from './phone.ts';
import type { QueueService } from './service.ts';

/** The service refuses a date that is off by more than a day. */
const TWO_DAYS_MS = 48 * 60 * 60 * 1000;

/** The state of a phone. */
export interface Phone {
  readonly name: string;
  readonly processes: number;
  readonly clockOffset: number;
}

export const RIGHT_CLOCK: Phone = { name: 'right clock', processes: 1, clockOffset: 0 };
export const WRONG_CLOCK: Phone = {
  name: 'clock two days behind',
  processes: 1,
  clockOffset: TWO_DAYS_MS,
};
export const TWO_PROCESSES: Phone = {
  name: 'two processes, clock two days behind',
  processes: 2,
  clockOffset: TWO_DAYS_MS,
};

/** The outcome of a campaign. */
export interface Outcome extends Observed {
  /** The codes that the app took, and the service has not. */
  readonly lost: number;
  /** The codes that the service accepted under more than one date. */
  readonly withTwoDates: number;
}

/** Returns a path as a program sees it that has a root of its own. */
export function pathIn(root: string | undefined, path: string): string {
  return root === undefined ? path : join('/', relative(root, path));
}

let users = 0;

/** Lets a user of a phone add codes, and compares what is stored when the queue is empty. */
export async function runCampaign(
  service: QueueService,
  program: QueueProgram,
  { processes, clockOffset }: Phone,
  { codes, seed }: { readonly codes: number; readonly seed: string },
): Promise<Outcome> {
  const { root } = program;
  await using folder = await newFolder(root);
  const USER_ID = `user-${users++}`;
  await mkdir(join(folder.path, 'storage'));
  const FOLDER = pathIn(root, join(folder.path, 'storage'));
  const env = { USER_ID, FOLDER, ...(await service.tokensOf(USER_ID)) };
  const random = randomNumbers(seed);
  const observed = await runPhone(program, {
    target: service.url,
    env,
    codes: Array.from({ length: codes }, (_, code) => `CODE${code}`),
    processes,
    clockOffset,
    random,
  });
  await service.queueIsEmpty();
  const stored = (await service.promoEventsOf(USER_ID)).map(({ promoCode }) => promoCode);
  const lost = [...observed.added].filter((code) => !stored.includes(code)).length;
  return { ...observed, lost, withTwoDates: stored.length - new Set(stored).size };
}

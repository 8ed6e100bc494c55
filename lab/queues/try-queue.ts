import { newFolder } from '../../test/support/new-folder.ts';
import { type Outcome, type Phone, RIGHT_CLOCK, runCampaign } from './campaign.ts';
import { MISTAKES } from './mistakes.ts';
import type { Queue } from './queues.ts';
import type { QueueService } from './service.ts';

/** The number of codes that is enough to find a mistake. */
const MISTAKEN_CODES = 30;

/** The extent of a run. */
interface Size {
  /** The number of codes. At most 100 wait. */
  readonly codes: number;
  readonly phones: number;
  readonly mistakes: number;
  readonly seed: string;
}

export const WHOLE = { codes: 90, phones: 3, mistakes: MISTAKES.length };
export const SMALL = { codes: 5, phones: 1, mistakes: 1 };

/** Runs a queue on each phone, then with each mistake. Returns what went wrong. */
export async function tryQueue(
  service: QueueService,
  queue: Queue,
  phones: readonly Phone[],
  { codes, seed, ...counts }: Size,
): Promise<string[]> {
  const failures: string[] = [];
  const program = await queue.program();
  for (const phone of phones.slice(0, counts.phones)) {
    const outcome = await runCampaign(service, program, phone, { codes, seed });
    const line = `${queue.name}, ${phone.name}: ${textOf(outcome)}`;
    print(line);
    if (isBroken(outcome)) failures.push(line);
  }
  for (const { name, ...mistakes } of MISTAKES.slice(0, counts.mistakes)) {
    await using folder = await newFolder();
    const outcome = await queue.withMistake(mistakes[queue.name], folder.path, (mistaken) =>
      runCampaign(service, mistaken, RIGHT_CLOCK, {
        codes: Math.min(codes, MISTAKEN_CODES),
        seed,
      }),
    );
    const line = `${queue.name}, mistake ${isBroken(outcome) ? 'found' : 'MISSED'}: ${name}`;
    print(`${line} (${textOf(outcome)})`);
    if (!isBroken(outcome)) failures.push(line);
  }
  return failures;
}

function isBroken({ lost, withTwoDates, atOnce }: Outcome): boolean {
  return lost + withTwoDates + atOnce > 0;
}

function textOf({ added, ended, lostResponses, ...found }: Outcome): string {
  const { lost, withTwoDates, atOnce } = found;
  return `${added.size} codes, ${ended} kills, ${lostResponses} lost responses: ${lost} lost, ${withTwoDates} with two dates, ${atOnce} sent twice at once`;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Kills apps while their queues send promo codes, and compares what the service has stored. */
import { Command } from 'commander';
import { runProgram } from '../../packages/deployment/program/run-program.ts';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { isInstalled } from '../generated-clients/programs.ts';
import {
  type Outcome,
  type Phone,
  RIGHT_CLOCK,
  runCampaign,
  TWO_PROCESSES,
  WRONG_CLOCK,
} from './campaign.ts';
import { MISTAKES } from './mistakes.ts';
import { buildKotlin, KOTLIN, type Queue, SDK } from './queues.ts';
import { type QueueService, startService } from './service.ts';
import { compareVectors } from './vectors.ts';

/** Enough to find a mistake. */
const MISTAKEN_CODES = 30;

/** The extent of a run. */
interface Size {
  /** At most 100 wait. */
  readonly codes: number;
  readonly phones: number;
  readonly mistakes: number;
  readonly seed: string;
}

const WHOLE = { codes: 90, phones: 3, mistakes: MISTAKES.length };
const SMALL = { codes: 5, phones: 1, mistakes: 1 };

interface Options {
  readonly small: boolean;
  readonly seed: string;
  readonly require: boolean;
}

await new Command('npm run queues --')
  .description(
    'Lets the queues of the app SDK and in Kotlin send promo codes while 30 % of the responses are lost and their processes are killed. No code may be lost, and none may be accepted under two dates.',
  )
  .option('--seed <text>', 'decides which responses are lost', '1')
  .option('--small', 'send few codes, on one phone, with one mistake', false)
  .option('--require', 'fail if there is no JDK or no Maven', false)
  .action((options: Options) => runProgram(() => runQueues(options)))
  .parseAsync();

async function runQueues({ small, seed, require }: Options): Promise<void> {
  const missing = (['JDK', 'Maven'] as const).filter((program) => !isInstalled(program));
  const message = `There is no ${missing.join(' and no ')} here, which the queue in Kotlin needs`;
  if (missing.length > 0 && require) throw new UserError(`${message}.`);
  if (missing.length > 0) print(`${message}: it is left out.`);
  const hasKotlin = missing.length === 0;
  const building = hasKotlin ? buildKotlin() : undefined;
  await using service = await startService();
  const size = { ...(small ? SMALL : WHOLE), seed };
  const failures = await tryQueue(service, SDK, [WRONG_CLOCK, RIGHT_CLOCK], size);
  if (building) {
    await building;
    print(`kotlin, ${await compareVectors()} scenarios as in the app SDK`);
    const phones = [WRONG_CLOCK, TWO_PROCESSES, RIGHT_CLOCK];
    failures.push(...(await tryQueue(service, KOTLIN, phones, size)));
  }
  if (failures.length > 0) throw new UserError(failures.join('\n'));
}

/** Runs a queue on each phone, then with each mistake. Returns what went wrong. */
async function tryQueue(
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

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

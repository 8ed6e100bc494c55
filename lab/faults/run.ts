/** Runs a full-size campaign, and prints its figures. */
import { Command, Option } from 'commander';
import { runProgram } from '../../packages/deployment/program/run-program.ts';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { synthesize } from '../../packages/local/synthesize.ts';
import { FAULTS } from '../../test/support/fault-proxy.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { type Figures, runCampaign } from './campaign.ts';

/** The applications of a campaign in full size. */
const APPLICATIONS = 10_000;

interface Size {
  readonly seed: number;
  readonly applications: number;
}

const command = new Command('npm run faults --')
  .description(
    'Sends applications to a service whose DynamoDB and event bus fail in every way, then checks what the table and the bus contain',
  )
  .addOption(new Option('--seed <number>', 'of the random numbers').argParser(Number).default(1))
  .addOption(
    new Option('--applications <number>', 'how many').argParser(Number).default(APPLICATIONS),
  )
  .action((options: Size) => runProgram(() => runWith(options)));

await command.parseAsync();

async function runWith(size: Size): Promise<void> {
  await using folder = await newFolder();
  await synthesize(folder.path);
  const figures = await printCampaign(folder.path, size);
  const { lost, duplicated, unexpected, unpublished } = figures;
  const broken = [...lost, ...duplicated, ...unexpected, ...unpublished];
  if (broken.length > 0) {
    throw new UserError(`The guarantee is broken for:\n${broken.slice(0, 20).join('\n')}`);
  }
  const unmet = thingsUnmet(figures);
  if (unmet.length > 0) throw new UserError(`It was too easy, without ${unmet.join(', ')}.`);
}

/** Returns what a campaign has to meet, and has not. */
function thingsUnmet({ faults, accepted, queued, refused, postponed, moved, movedOfBus }: Figures) {
  const isMet = {
    'each kind of fault': faults.size === FAULTS.length,
    'a request that was stored at once': accepted > queued,
    'one that was queued': queued > 0,
    'one that was refused': refused > 0,
    'an event that stayed in the stream': postponed > 0,
    'a dead letter that was moved back': moved > 0,
    'one of the bus': movedOfBus > 0,
  };
  return Object.entries(isMet).flatMap(([thing, met]) => (met ? [] : [thing]));
}

async function printCampaign(
  cloudAssembly: string,
  { seed, applications }: Size,
): Promise<Figures> {
  const users = Math.ceil(applications / 5);
  const inFlight = Math.min(150, Math.ceil(applications / 20));
  print(`Seed ${seed}: ${applications} applications by ${users} users, ${inFlight} at a time,`);
  print('30 % of the calls of DynamoDB and the bus faulty, all of them for a third');
  const figures = await runCampaign({ seed, applications, users, inFlight, cloudAssembly });
  const { faults, faultsOfBus, lost, duplicated, unexpected, unpublished, ...others } = figures;
  printRows([
    ...FAULTS.map((fault) => [`calls: ${fault}`, faults.get(fault) ?? 0] as const),
    ...FAULTS.map((fault) => [`calls of the bus: ${fault}`, faultsOfBus.get(fault) ?? 0] as const),
    ['requests accepted', others.accepted],
    ['  of which queued', others.queued],
    ['requests refused, as expected', others.refused],
    ['requests without success, retries included', others.unresolved],
    ['seconds until the queue was empty', others.drainedAfter],
    ['dead letters that were moved back, some again', others.moved],
    ['messages in the dead-letter queue', others.deadLetters],
    ['items in the table', others.items],
    ['events on the bus', others.events],
    ['attempts that left an event in the stream', others.postponed],
    ['seconds until each item was on the bus', others.publishedAfter],
    ['dead letters of the bus that were moved back, some again', others.movedOfBus],
    ['messages in the dead-letter queue of the bus', others.deadLettersOfBus],
    ['accepted but LOST', lost.length],
    ['stored or applied TWICE', duplicated.length],
    ['stored or published although refused or never sent', unexpected.length],
    ['stored but NOT PUBLISHED', unpublished.length],
  ]);
  return figures;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printRows(rows: readonly (readonly [name: string, figure: number])[]): void {
  for (const [name, figure] of rows) print(`  ${String(figure).padStart(6)}  ${name}`);
}

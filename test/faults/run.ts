/** Runs a full-size campaign and prints its figures. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { runProgram } from '../../cli/exit-codes.ts';
import { UserError } from '../../core/user-error.ts';
import { synthesize } from '../../local/synthesize.ts';
import { FAULTS } from '../support/fault-proxy.ts';
import { runCampaign } from './campaign.ts';

const CAMPAIGN = { applications: 10_000, users: 2000, inFlight: 150 };

const command = new Command('npm run faults --')
  .description(
    'Sends 10,000 applications to a service whose DynamoDB fails in every way, then checks what the table contains',
  )
  .addOption(new Option('--seed <number>', 'of the random numbers').argParser(Number).default(1))
  .action(({ seed }: { seed: number }) => runProgram(() => runWith(seed)));

await command.parseAsync();

async function runWith(seed: number): Promise<void> {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const { applications, users, inFlight } = CAMPAIGN;
  print(`Seed ${seed}: ${applications} applications by ${users} users, ${inFlight} at a time,`);
  print('30 % of the DynamoDB calls faulty, all of them for the second third');
  const cloudAssembly = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  await synthesize(cloudAssembly);
  const figures = await runCampaign({ ...CAMPAIGN, seed, cloudAssembly }).finally(() =>
    rm(cloudAssembly, { recursive: true }),
  );
  const { faults, lost, duplicated, unexpected, ...others } = figures;
  const rows = [
    ...FAULTS.map((fault) => [`calls: ${fault}`, faults.get(fault) ?? 0]),
    ['requests accepted', others.accepted],
    ['  of which queued', others.queued],
    ['requests refused, as expected', others.refused],
    ['requests without success, retries included', others.unresolved],
    ['seconds until the queue was empty', others.drainedAfter],
    ['messages in the dead-letter queue', others.deadLetters],
    ['items in the table', others.items],
    ['accepted but LOST', lost.length],
    ['stored or applied TWICE', duplicated.length],
    ['stored although refused or never sent', unexpected.length],
  ] as const;
  for (const [name, figure] of rows) print(`  ${String(figure).padStart(6)}  ${name}`);
  const failures = [...lost, ...duplicated, ...unexpected];
  if (failures.length > 0) {
    throw new UserError(`The guarantee is broken for:\n${failures.slice(0, 20).join('\n')}`);
  }
}

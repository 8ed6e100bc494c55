/** Runs a full-size campaign and prints its figures. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { CommandError, runCommand } from '../../core/platform/command-error.ts';
import { synthesize } from '../../local/synthesize.ts';
import { FAULTS } from '../support/fault-proxy.ts';
import { runCampaign } from './campaign.ts';

const CAMPAIGN = {
  applications: 10_000,
  users: 2000,
  inFlight: 150,
  faultRate: 0.3,
  outage: { from: 1 / 3, to: 2 / 3 },
};

const command = new Command('npm run faults --')
  .description(
    'Sends 10,000 applications to a service whose DynamoDB fails in every way, then checks what the table contains',
  )
  .option('--seed <number...>', 'one run per seed (default: 1)', seeds)
  .action(({ seed = [1] }: { seed?: number[] }) => runCommand(() => faults(seed)));

await command.parseAsync();

async function faults(seeds: readonly number[]): Promise<void> {
  const cloudAssembly = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  try {
    await synthesize(cloudAssembly);
    for (const seed of seeds) await runWith(seed, cloudAssembly);
  } finally {
    await rm(cloudAssembly, { recursive: true });
  }
}

async function runWith(seed: number, cloudAssembly: string): Promise<void> {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const { applications, users, inFlight, faultRate } = CAMPAIGN;
  print(`Seed ${seed}: ${applications} applications by ${users} users, ${inFlight} at a time,`);
  print(`${faultRate * 100} % of the DynamoDB calls faulty, all of them for the second third`);
  const figures = await runCampaign({ ...CAMPAIGN, seed, cloudAssembly });
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
    throw new CommandError(`The guarantee is broken for:\n${failures.slice(0, 20).join('\n')}`);
  }
}

function seeds(text: string, others: readonly number[] = []): number[] {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return [...others, Number(text)];
}

import { Command } from 'commander';
import { CommandError } from '../../core/platform/command-error.ts';
import { AwsError } from '../aws-error.ts';
import {
  addDeploymentOptions,
  type Deployment,
  type DeploymentOptions,
  findDeployment,
} from '../deployment.ts';
import { addExamples, addJsonOption, type JsonOption } from '../options.ts';
import { progressBar } from '../progress.ts';
import { type Output, paint, printAll, type Terminal } from '../terminal.ts';
import type { Named } from './diagnose.ts';
import type { Status } from './diagnosis.ts';

const COLOURS = { ok: 'green', note: 'dim', problem: 'red', unchecked: 'yellow' } as const;

/** `customer-data doctor`: what a deployment needs and lacks. */
export function doctorCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('doctor')))
    .description('check what the deployment needs and lacks')
    .action(async ({ json, ...options }: DeploymentOptions & JsonOption) => {
      const counts = { ok: 0, note: 0, problem: 0, unchecked: 0 };
      await printAll(terminal, lines(await findDeployment(options), counts, terminal, json));
      const { problem, unchecked } = counts;
      const summary = `${problem} ${problem === 1 ? 'problem' : 'problems'}, ${unchecked} unchecked.`;
      if (problem > 0) throw new CommandError(summary);
      if (unchecked > 0) throw new AwsError(summary);
    });
  return addExamples(command, 'doctor --stack CustomerDataApi-prod', 'doctor --local --json');
}

async function* lines(
  deployment: Deployment,
  counts: Record<Status, number>,
  terminal: Terminal,
  json = false,
): AsyncGenerator<string> {
  // Only here: no other command needs what it loads.
  const { diagnose } = await import('./diagnose.ts');
  using bar = progressBar(terminal, 'Clients checked');
  const caller = { progress: terminal.stdout.isTTY ? () => {} : bar.show };
  for await (const diagnosis of diagnose(deployment, caller)) {
    counts[diagnosis.status]++;
    yield json ? JSON.stringify(diagnosis) : lineOf(diagnosis, terminal.stdout);
  }
}

function lineOf({ status, check, message }: Named, stream: Output): string {
  return `${paint(COLOURS[status], status.padEnd(9), stream)} ${check.padEnd(12)} ${message}`;
}

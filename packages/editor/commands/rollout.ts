import { Command } from 'commander';
import { isPlaceholder, shareText } from 'customer-data-api/configuration';
import { writtenConfiguration } from 'customer-data-api/history';
import { configurationTables, findDeployment } from 'customer-data-api-deployment';
import { CLIENT_ID, type ReadOptions, readCommand } from 'customer-data-api-deployment/commands';
import { noteTo, printTo, type Terminal } from 'customer-data-api-deployment/program';
import { compareLive, differentLines } from '../configurations/diff-configurations.ts';
import { exactJson } from '../configurations/exact-number.ts';
import { isOutdated, readRecorded, readRunning } from '../configurations/rollouts.ts';
import { fileOf } from '../configurations/stored-configuration.ts';
import { expectDecidable, mergeOption, messageCommand, publish, readPercent } from './config.ts';
import { differenceLines, differencesToJson } from './diff.ts';
import type { PublishOptions } from './publication/named-draft.ts';
import { type ClientOrVersion, readClientOrVersion } from './version-reference.ts';

/** `./customer-data rollout`: a new configuration for a part of the devices. */
export function rolloutCommand(terminal: Terminal): Command {
  const show = readCommand('show', [
    'rollout show demo --stack CustomerDataApi-prod',
    'rollout show demo@7 --local',
  ])
    .description('show the rollout that runs, or ran: its share, and what changes for customers')
    .argument('<client>', 'a client, or a version such as demo@7', readClientOrVersion)
    .action((client: ClientOrVersion, options: ReadOptions) =>
      showRollout(terminal, client, options),
    );

  const widen = mergeable(
    messageCommand('widen', [
      'rollout widen demo 25 -m "No complaints" --stack CustomerDataApi-prod',
      'rollout widen demo 0 --merge -m "Keep the correction" --local',
    ])
      .description('give the candidate to more devices; those that have it keep it')
      .argument(...CLIENT_ID)
      .argument('<percent>', 'the new share; with --merge, the same or a larger one', readPercent),
  ).action((clientId: string, percent: number, options: PublishOptions) => {
    expectDecidable(options);
    return publish(terminal, { clientId, rollout: percent }, options);
  });

  const finish = mergeable(
    messageCommand('finish', ['rollout finish demo -m "All devices" --stack CustomerDataApi-prod'])
      .description('make the candidate live for all devices, as config publish does')
      .argument(...CLIENT_ID),
  ).action((clientId: string, options: PublishOptions) => {
    expectDecidable(options);
    return publish(terminal, { clientId, rollout: 'finish' }, options);
  });

  const stop = messageCommand('stop', [
    'rollout stop demo -m "Complaints about the new field" --stack CustomerDataApi-prod',
  ])
    .description('discard the candidate: all devices get the live configuration')
    .argument(...CLIENT_ID)
    .action((clientId: string, options: PublishOptions) =>
      publish(terminal, { clientId, rollout: 'stop' }, options),
    );

  return [show, widen, finish, stop].reduce(
    (group, one) => group.addCommand(one),
    new Command('rollout'),
  );
}

/** Adds the options of a change that merges the candidate with what is live. */
function mergeable(command: Command): Command {
  return command
    .option('--merge', 'keep what others changed in the live configuration since it was made')
    .addOption(mergeOption('mine', 'what the candidate has'))
    .addOption(mergeOption('theirs', 'what is live'));
}

async function showRollout(
  terminal: Terminal,
  { clientId, version }: ClientOrVersion,
  { json, ...options }: ReadOptions,
): Promise<void> {
  const { outputs } = await findDeployment(options);
  using tables = configurationTables(outputs);
  const { live, rollout } =
    version === undefined
      ? await readRunning(tables, clientId)
      : await readRecorded(tables, clientId, version);
  const { candidate } = rollout;
  const name = version === undefined ? clientId : `${clientId}@${version}`;
  const differences = {
    effects: compareLive({ live }, { live: candidate }),
    lines: differentLines(
      { name, content: fileOf(clientId, live) },
      { name: 'the candidate', content: fileOf(clientId, candidate) },
    ),
  };
  const { id, percent, devices } = rollout;
  const isEdited = isOutdated(rollout, live);
  if (json) {
    const share = { clientId, id, percent, devices, isEdited };
    const digests = { live: live.digest, candidate: candidate.digest };
    const line = { ...share, ...digests, ...differencesToJson(differences) };
    return printTo(terminal)(exactJson({ ...line, ...writtenConfiguration(candidate.content) }));
  }
  differenceLines(differences, terminal.stdout).forEach(printTo(terminal));
  const note = noteTo(terminal);
  if (isEdited)
    note('What is live has changed since the candidate was made. Add --merge to widen it.');
  for (const device of devices) {
    note(
      `Named device: ${device}${isPlaceholder(device) ? '. It is no id, and names nobody' : ''}`,
    );
  }
  note(`Rollout of ${name} to ${shareText(rollout)}; Config-Version ${candidate.digest}`);
}

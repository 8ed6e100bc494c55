import { Command } from 'commander';
import { isPlaceholder, shareText } from 'customer-data-api/configuration';
import { type Deployment, findDeployment, inOneLine } from 'customer-data-api-deployment';
import { appsHaveItBy } from 'customer-data-api-deployment/outputs';
import { noteTo, printTo, type Terminal, UserError } from 'customer-data-api-deployment/program';
import { CLIENT_ID, type ReadOptions, readCommand } from '../../options.ts';
import { readPastTime } from '../../time.ts';
import { type Served, servedTo } from '../device-history.ts';
import { diffConfigurations } from '../diff-configurations.ts';
import { exactJson } from '../exact-number.ts';
import { alarmOf } from '../rollout-alarm.ts';
import { readRecorded, runningRollout } from '../rollouts.ts';
import { atFullShare } from '../share.ts';
import { configurationTables, fileOf, readStored } from '../stored-configuration.ts';
import {
  decisionOption,
  expectDecidable,
  messageCommand,
  publish,
  readPercent,
  readSentId,
} from './config.ts';
import { differenceLines, differencesToJson } from './diff.ts';
import type { PublishOptions } from './publish.ts';
import { type ClientOrVersion, readClientOrVersion } from './version-reference.ts';

const UNLESS_ALARM = [
  '--unless-alarm <name>',
  'change nothing if this alarm is on, muted or gone',
] as const;

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

  const widen = messageCommand('widen', [
    'rollout widen demo 25 -m "No complaints" --stack CustomerDataApi-prod',
  ])
    .description('give the candidate to more devices. Up to 50 %, none changes its group')
    .argument(...CLIENT_ID)
    .argument('<percent>', 'the new share of the devices', readPercent)
    .option(...UNLESS_ALARM)
    .action((clientId: string, percent: number, options: PublishOptions) =>
      publish(terminal, { clientId, rollout: percent }, options),
    );

  const finish = messageCommand('finish', [
    'rollout finish demo -m "All devices" --stack CustomerDataApi-prod',
  ])
    .description('make the candidate live for all devices, as config publish does')
    .argument(...CLIENT_ID)
    .option('--merge', 'keep what others changed in the live configuration since it started')
    .addOption(decisionOption('mine', 'what the candidate has'))
    .addOption(decisionOption('theirs', 'what is live'))
    .option(...UNLESS_ALARM)
    .action((clientId: string, options: PublishOptions) => {
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

  const who = readCommand('who', [
    'rollout who demo --device 38400000-8cf0-11bd-b23e-10b96e40000d --at 2026-11-24T09:12Z --local',
  ])
    .description('compute from the history which configuration a device is or was given')
    .argument(...CLIENT_ID)
    .requiredOption(
      '--device <id>',
      'its Installation-Id or, without one, its Device-Id',
      readSentId,
    )
    .option('--installation <id>', 'its Installation-Id, if it sends both', readSentId)
    .option('--at <time>', 'a day or a time, as of promo list; by default, now', readPastTime)
    .action((clientId: string, options: WhoOptions) => showWho(terminal, clientId, options));

  return [show, widen, finish, stop, who].reduce(
    (group, one) => group.addCommand(one),
    new Command('rollout'),
  );
}

type WhoOptions = ReadOptions & {
  readonly device: string;
  readonly installation?: string;
  readonly at?: string;
};

async function showRollout(
  terminal: Terminal,
  { clientId, version }: ClientOrVersion,
  { json, ...options }: ReadOptions,
): Promise<void> {
  const deployment = await findDeployment(options);
  using tables = configurationTables(deployment.outputs);
  const running =
    version === undefined
      ? runningRollout(await readStored(tables, clientId))
      : await readRecorded(tables, clientId, version);
  const { rollout, live, candidate } = running;
  const name = version === undefined ? clientId : `${clientId}@${version}`;
  const differences = diffConfigurations(
    { name, content: fileOf(live) },
    { name: 'the candidate', content: fileOf(candidate) },
  );
  const { id, percent, devices, alarm, base } = rollout;
  const isEdited = base !== undefined && base !== live.digest;
  const isWatched = alarm !== undefined && version === undefined;
  const { notStopped, remark, unknown } = isWatched ? await stopBy(alarm, deployment) : {};
  if (json) {
    const share = { clientId, id, percent, devices, alarm, notStopped, remark, isEdited };
    const digests = { live: live.digest, candidate: candidate.digest };
    const line = { ...share, ...digests, ...differencesToJson(differences), ...candidate.written };
    return printTo(terminal)(exactJson(line));
  }
  differenceLines(differences, terminal.stdout).forEach(printTo(terminal));
  const note = noteTo(terminal);
  if (isEdited) note('The live configuration was changed since the rollout started.');
  for (const device of devices) {
    note(
      `Named device: ${device}${isPlaceholder(device) ? '. It is no id, and names nobody' : ''}`,
    );
  }
  if (notStopped !== undefined) note(`No alarm stops it any more. ${notStopped}`);
  else if (unknown !== undefined) note(`Unknown whether the alarm ${alarm} stops it. ${unknown}`);
  else if (alarm !== undefined) note(`The alarm ${alarm} stops it.`);
  if (remark !== undefined) note(remark);
  if (version === undefined) atFullShare(clientId, rollout).forEach(note);
  note(`Rollout of ${name} to ${shareText(rollout)}; Config-Version ${candidate.digest}`);
}

/** Says why the alarm of a rollout does not stop it any more, or why that is unknown. */
async function stopBy(
  alarm: string,
  deployment: Deployment,
): Promise<{ notStopped?: string | undefined; remark?: string | undefined; unknown?: string }> {
  try {
    const { problem, remark } = await alarmOf(deployment, alarm);
    return { notStopped: problem, remark };
  } catch (error) {
    const failure = inOneLine(error);
    if (failure instanceof UserError) return { unknown: failure.message };
    throw error;
  }
}

async function showWho(
  terminal: Terminal,
  clientId: string,
  { device: deviceId, installation: installationId, at, json, ...options }: WhoOptions,
): Promise<void> {
  const { outputs } = await findDeployment(options);
  using tables = configurationTables(outputs);
  const time = at === undefined ? new Date() : new Date(at);
  const seconds = (appsHaveItBy(outputs, time.toISOString()).getTime() - time.getTime()) / 1000;
  const served = await servedTo(tables, clientId, { deviceId, installationId }, time, seconds);
  if (served.length === 0) {
    throw new UserError(`The history of ${clientId} has nothing of that time.`, 'nothingFound');
  }
  const print = printTo(terminal);
  const sentId = installationId ?? deviceId;
  for (const one of served) print(json ? JSON.stringify(one) : servedText(one, sentId));
  if (served.length > 1 && !json) {
    noteTo(terminal)(
      'The newest one first. Functions keep a copy, so it may have got any of them.',
    );
  }
}

function servedText(
  { version: { clientId, version, at, rollout }, ...served }: Served,
  sentId: string,
): string {
  const since = `${clientId}@${version}, since ${at.replace(/\.\d+/, '')}:`;
  if (served.isRefused) return `${since} nothing; every call of the client's apps was refused`;
  if (!rollout) return `${since} the live configuration; no rollout ran`;
  const { isCandidate, bucket, group, isNamed } = served;
  const content = isCandidate ? 'the candidate' : 'the live configuration';
  if (bucket === undefined) {
    return `${since} ${content}; ${JSON.stringify(sentId)} is no id of a single phone, and chooses no group`;
  }
  const inGroup =
    group === undefined ? 'in no group' : `in the group ${group}${isNamed ? ' by its name' : ''}`;
  return `${since} ${content}; ${inGroup}, bucket ${bucket} of 10,000 at ${rollout.percent} %`;
}

import { Command, InvalidArgumentError, Option } from 'commander';
import { isBlank, UIS } from 'customer-data-api/configuration';
import {
  addExamples,
  addJsonOption,
  CLIENT_ID,
  changeCommand,
  expectConfirmation,
  type JsonOption,
  type ReadOptions,
  readCommand,
} from 'customer-data-api-deployment/commands';
import {
  noteTo,
  printable,
  printTo,
  type Terminal,
  UsageError,
} from 'customer-data-api-deployment/program';
import { parseDevices, parsePercent } from '../configurations/share.ts';
import type { NamedDraft, PublishOptions } from './publication/named-draft.ts';
import type { SchemaOptions } from './show.ts';
import {
  type ClientOrVersion,
  readClientOrVersion,
  readVersionOrName,
  readVersionReference,
  type VersionReference,
} from './version-reference.ts';

/** A version, or the name of a client or a file. */
type Name = VersionReference | string;

/*
 * Each action loads its module when it runs: the help and `config check` need no AWS SDK, which
 * takes longer to load than they take.
 */
const reading = () => import('./show.ts');

/** `./customer-data config`: what the apps of a client collect. */
export function configCommand(terminal: Terminal): Command {
  const show = readCommand('show', [
    'config show demo --stack CustomerDataApi-prod',
    'config show demo demo.yaml --local',
    'config show demo@3 --local',
  ])
    .description('print a configuration as YAML, or write it into a file to be changed')
    .argument('<client>', 'a client, or a version such as demo@3', readClientOrVersion)
    .argument('[file]', 'the file to create')
    .action(async (client: ClientOrVersion, file: string | undefined, options: ReadOptions) => {
      if (options.json && file !== undefined) {
        throw new UsageError('--json prints, and a file is always YAML. Leave out one of them.');
      }
      await (await reading()).show(terminal, client, file, options);
    });

  const schema = readCommand('schema', [
    'config schema demo --screen register --stack CustomerDataApi-prod',
    'config schema demo@3 --screen profile --local',
  ])
    .description('print the JSON Schema of the answers of a screen, for a server that stores them')
    .argument('<client>', 'a client, or a version such as demo@3', readClientOrVersion)
    .addOption(
      new Option('--screen <screen>', 'the screen whose mandatory fields are required')
        .choices(UIS)
        .makeOptionMandatory(),
    )
    .action(async (client: ClientOrVersion, options: SchemaOptions) =>
      (await reading()).printSchema(terminal, client, options),
    );

  const check = addJsonOption(addExamples(new Command('check'), 'config check demo.yaml'))
    .description(
      'check a configuration file; needs no deployment. Used ids are found by config publish --dry-run',
    )
    .argument('<file>', 'a configuration in YAML; - reads the standard input')
    .action(async (file: string, { json }: JsonOption) => {
      const { checkText, findingsTo, readText } = await import('./files.ts');
      const content = await readText(file, terminal.stdin);
      const name = file === '-' ? 'stdin' : file;
      checkText(name, content, findingsTo(printTo(terminal), json), noteTo(terminal));
    });

  const diff = readCommand('diff', [
    'config diff demo.yaml --stack CustomerDataApi-prod',
    'config diff demo@3 demo@4 --local',
    'config diff demo@3 demo --local',
  ])
    .description(
      'compare two configurations: what changes for customers, and the lines. The exit code is 1 if they differ',
    )
    .argument('<before>', 'a client, a version such as demo@3, or a file', readVersionOrName)
    .argument('[after]', 'the same; without it, compare what is live', readVersionOrName)
    .action(async (before: Name, after: Name | undefined, options: ReadOptions) =>
      (await reading()).compare(terminal, before, after, options),
    );

  const publication = messageCommand('publish', [
    'config publish demo.yaml -m "Offer Funghi" --stack CustomerDataApi-prod',
    'config publish demo.yaml --dry-run --local',
    'config publish demo.yaml -m "Offer Funghi" --merge --local',
    'config publish demo.yaml -m "As in test" --as-copy --stack CustomerDataApi-prod',
  ])
    .description(
      'check a configuration, show its changes, ask, and make it live. Changes of others are never overwritten',
    )
    .argument('<file>', 'a configuration in YAML')
    .option('--merge', 'keep what others changed since config show wrote the file, and add it')
    .addOption(mergeOption('mine', 'yours'))
    .addOption(mergeOption('theirs', 'theirs'))
    .addOption(
      new Option(
        '--as-copy',
        'publish the file of another deployment or client. Ids stay, but those given to other questions here',
      ).conflicts(['merge', 'mine', 'theirs']),
    )
    .option('--rollout <percent>', 'start a rollout instead: how many devices get it', readPercent)
    .option(
      '--device <id...>',
      'with --rollout: devices that get it whatever the share',
      readDevices,
    )
    .addOption(stopRolloutOption().conflicts('rollout'))
    .action((file: string, { rollout, device, ...options }: PublishOptions & StartOptions) => {
      if (rollout === undefined && device) {
        throw new UsageError('--device needs --rollout PERCENT.');
      }
      expectDecidable(options);
      const starts = rollout !== undefined && { percent: rollout, devices: device ?? [] };
      return publish(terminal, file, { ...options, ...(starts && { starts }) });
    });

  const history = readCommand('history', [
    'config history demo --stack CustomerDataApi-prod',
    'config history demo --json --local',
  ])
    .description('list the versions of a configuration, newest first, including manual edits')
    .argument(...CLIENT_ID)
    .action(async (clientId: string, options: ReadOptions) =>
      (await reading()).printHistory(terminal, clientId, options),
    );

  const rollback = messageCommand('rollback', [
    'config rollback demo@3 --dry-run --stack CustomerDataApi-prod',
    'config rollback demo@3 -m "Undo the new options" --stack CustomerDataApi-prod',
  ])
    .description('make an earlier version of a configuration live again. App-Ids stay as they are')
    .argument('<version>', 'such as demo@3', readVersionReference)
    .addOption(stopRolloutOption())
    .action(({ clientId, version }: VersionReference, options: PublishOptions) =>
      publish(terminal, { clientId, restores: version }, options),
    );

  const undo = messageCommand('undo', [
    'config undo demo@3 --dry-run --stack CustomerDataApi-prod',
    'config undo demo@3 -m "The option is sold again" --stack CustomerDataApi-prod',
  ])
    .description('take back what one version changed, and keep what came after it')
    .argument('<version>', 'such as demo@3', readVersionReference)
    .addOption(decisionOption('before', 'of a conflict', 'what was there before the version'))
    .addOption(decisionOption('now', 'of a conflict', 'what is live'))
    .addOption(stopRolloutOption())
    .action(({ clientId, version }: VersionReference, { before, now, ...others }: UndoOptions) => {
      expectOneSide({ before, now });
      const options = { ...others, ...(before && { mine: before }), ...(now && { theirs: now }) };
      return publish(terminal, { clientId, undo: version }, options);
    });

  const commands = [show, schema, check, diff, publication, history, undo, rollback];
  return commands.reduce((group, one) => group.addCommand(one), new Command('config'));
}

/** The options of `config publish` about rollouts. */
interface StartOptions {
  readonly rollout?: number;
  readonly device?: readonly string[];
}

/** The options of `config undo`. */
interface UndoOptions extends PublishOptions {
  readonly before?: readonly string[];
  readonly now?: readonly string[];
}

/** Makes a command that asks, and records who did it and why. */
export function messageCommand(name: string, examples: readonly string[]): Command {
  return changeCommand(name, examples).option(
    '-m, --message <text>',
    'the reason for the change, shown in the history. Required unless --dry-run',
  );
}

/** Publishes a configuration. Fails before any work if the change could not be made. */
export async function publish(
  terminal: Terminal,
  draft: NamedDraft,
  options: PublishOptions,
): Promise<void> {
  if (!options.dryRun && isBlank(options.message ?? '')) {
    throw new UsageError('Missing -m MESSAGE (the reason for the change).');
  }
  // Before a file is read.
  expectConfirmation(terminal, options);
  const { publishConfiguration } = await import('./publication/publish.ts');
  await publishConfiguration(terminal, draft, options);
}

/** Reads a share. */
export function readPercent(text: string): number {
  const percent = parsePercent(text);
  if (percent !== undefined) return percent;
  throw new InvalidArgumentError(
    'Write a number below 100, with at most two decimals. For all devices, use rollout finish.',
  );
}

/** Adds the devices that a text names to those read before. */
function readDevices(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...parseDevices(text)];
}

/** An option that decides a conflict of a merge. */
export function mergeOption(name: 'mine' | 'theirs', whose: string): Option {
  return decisionOption(name, 'with --merge: of a conflict', whose);
}

function decisionOption(name: string, when: string, kept: string): Option {
  return new Option(
    `--${name} <id>`,
    `${when} such as 1.fieldName, keep ${kept}; repeatable`,
  ).argParser((id, before: readonly string[] = []) => [...before, id]);
}

/** @throws UsageError for decisions without a merge, or two for one conflict. */
export function expectDecidable({ merge, mine = [], theirs = [] }: PublishOptions): void {
  if (!merge && mine.length + theirs.length > 0) {
    throw new UsageError('--mine and --theirs need --merge.');
  }
  expectOneSide({ mine, theirs });
}

/** @throws UsageError for two decisions about one conflict. */
function expectOneSide(sides: Readonly<Record<string, readonly string[] | undefined>>): void {
  const [[one, ids = []] = [], [other, others = []] = []] = Object.entries(sides);
  const both = ids.find((id) => others.includes(id));
  if (both !== undefined) {
    throw new UsageError(`Name ${printable(both)} with --${one} or --${other}, and not with both.`);
  }
}

/** The option of a change that ends the rollout that runs. */
function stopRolloutOption(): Option {
  return new Option('--stop-rollout', 'discard the candidate of the rollout that runs');
}

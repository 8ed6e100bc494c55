import { checkConfiguration } from '../../core/configuration/check-configuration.ts';
import { contentDigest, type RawContent } from '../../core/configuration/content-digest.ts';
import type { PlannedChange } from '../../core/configuration/plan-change.ts';
import { publish } from '../../core/configuration/publish.ts';
import type { ConfigurationTables } from '../../core/configuration/stored-configuration.ts';
import { waitForVersion } from '../../core/configuration/wait-for-version.ts';
import { writtenConfiguration } from '../../core/configuration/written-configuration.ts';
import { CommandError } from '../../core/platform/command-error.ts';
import { author } from '../author.ts';
import { confirm } from '../confirm.ts';
import type { Deployment } from '../deployment.ts';
import type { WriteOptions } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { diffConfigurations, printDifferences } from './diff.ts';
import { fileOf } from './pull.ts';

/** The options of a command that changes a configuration. */
export interface ChangeOptions extends WriteOptions {
  /** Present, unless it is a dry run. */
  readonly message?: string;
  readonly json?: boolean;
}

/**
 * Shows a planned change, asks, writes it, waits for its version and prints that.
 *
 * @param name what to call the new configuration.
 * @param onPublished called when it is published, before its version is waited for.
 * @throws CommandError if the service would leave out more of the new configuration than of the current one.
 */
export async function makeChange(
  terminal: Terminal,
  deployment: Deployment,
  tables: ConfigurationTables,
  {
    plan,
    name,
    onPublished,
  }: {
    readonly plan: PlannedChange;
    readonly name: string;
    readonly onPublished?: () => Promise<void>;
  },
  { message = '', yes, dryRun, json }: ChangeOptions,
): Promise<void> {
  const { stdout, stderr } = terminal;
  const { before, after } = plan;
  const { clientId, content, misspelled } = before;
  const hasMisspelled = Object.keys(misspelled).length > 0;
  if (contentDigest(content) === contentDigest(after) && !hasMisspelled) {
    stderr.write(`${name} is what apps get already. Nothing was changed.\n`);
    return;
  }
  expectNoMoreErrors(name, content, after);
  const differences = diffConfigurations(
    { name: clientId, content: fileOf(before) },
    { name, content: { clientId, ...writtenConfiguration(after) } },
  );
  printDifferences(differences, stderr);
  if (dryRun) {
    stderr.write('Nothing was changed: this was a dry run.\n');
    return;
  }
  const isConfirmed = await confirm(terminal, {
    deployment,
    question: `Publish this for ${clientId}?`,
    typed: removesMost(content, after) ? clientId : undefined,
    isAnswered: yes,
  });
  if (!isConfirmed) throw new CommandError('Nothing was changed.');
  const lastChange = await publish(tables, plan, { by: await author(deployment), message });
  await onPublished?.();
  const version = await waitForVersion(tables, clientId, lastChange);
  if (!version) {
    throw new CommandError(
      `It is published, but its version was not recorded within half a minute. Look for it with customer-data config history ${clientId}.`,
    );
  }
  stdout.write(json ? `${JSON.stringify(version)}\n` : `${clientId}@${version.version}\n`);
}

function expectNoMoreErrors(name: string, before: RawContent, after: RawContent): void {
  const [old, fresh] = [before, after].map((content) =>
    checkConfiguration({ ...writtenConfiguration(content) }).filter(
      ({ severity }) => severity === 'error',
    ),
  );
  if (!old || !fresh || fresh.length === 0 || fresh.length <= old.length) return;
  const [{ path, message } = { path: [], message: '' }, ...others] = fresh;
  const count = others.length === 0 ? '1 error' : `${fresh.length} errors`;
  throw new CommandError(
    `Nothing was changed: ${name} has ${count}: ${path.join('.')}: ${message.replace(/\.$/, '')}.`,
  );
}

/** Whether more than half of the fields are removed, which is rarely meant. */
function removesMost(before: RawContent, after: RawContent): boolean {
  const [old, fresh] = [before, after].map(
    ({ fields }) => fields?.L?.map(({ M }) => M?.id?.S) ?? [],
  );
  const removed = old?.filter((id) => !fresh?.includes(id)) ?? [];
  return removed.length > (old?.length ?? 0) / 2;
}

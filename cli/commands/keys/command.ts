import { randomUUID } from 'node:crypto';
import { Command, Option } from 'commander';
import { changeAppIds } from '../../../admin/clients/change-client.ts';
import { readExistingClient } from '../../../admin/clients/configs-table.ts';
import type { ConfigsItem } from '../../../core/client-attributes.ts';
import { fingerprintOf } from '../../../core/clients/app-id-fingerprint.ts';
import { readAccessLists } from '../../../core/clients/client-access.ts';
import { UsageError } from '../../../core/user-error.ts';
import { author } from '../../deployment/author.ts';
import { confirmChange, expectConfirmation } from '../../deployment/confirm.ts';
import { deploymentName, findDeployment } from '../../deployment/deployment.ts';
import { addDeploymentOptions, type DeploymentOptions } from '../../deployment/options.ts';
import { configsTable } from '../../deployment/tables.ts';
import {
  addExamples,
  addJsonOption,
  addWriteOptions,
  CLIENT_ID,
  type JsonOption,
  type WriteOptions,
} from '../../options.ts';
import { whileWaiting } from '../../terminal/progress.ts';
import { noteTo, printTo, type Terminal } from '../../terminal/terminal.ts';
import { findAppId, listed } from './find-app-id.ts';
import { readAppId } from './read-app-id.ts';
import { expectSeparateAppIds, noteMisspelledAppIds, repairAppIds } from './repair-app-ids.ts';

/** `./customer-data keys`: the App-Ids of a client. */
export function keysCommand(terminal: Terminal): Command {
  return new Command('keys')
    .addCommand(listCommand(terminal))
    .addCommand(addCommand(terminal))
    .addCommand(revokeCommand(terminal));
}

function listCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('list')))
    .description('list the App-Ids of a client')
    .argument(...CLIENT_ID)
    .action(async (clientId: string, { json, ...options }: DeploymentOptions & JsonOption) => {
      using table = configsTable(await findDeployment(options));
      const item = await readExistingClient(table, clientId);
      const keys = readAccessLists(item, false).appIds.map(fingerprintOf).toSorted();
      if (keys.length === 0) {
        noteTo(terminal)(
          `Client ${clientId} has no App-Ids: every request of its apps is refused.`,
        );
      }
      for (const key of keys) printTo(terminal)(json ? JSON.stringify({ key }) : key);
    });
  return addExamples(command, 'keys list demo --stack CustomerDataApi-prod');
}

interface AddOptions extends DeploymentOptions, WriteOptions, JsonOption {
  readonly from?: string;
  readonly correct?: boolean;
}

function addCommand(terminal: Terminal): Command {
  const command = addJsonOption(addWriteOptions(addDeploymentOptions(new Command('add'))))
    .description('create another App-Id for a client and print it once; the others stay valid')
    .argument(...CLIENT_ID)
    .option('--from <file>', 'restore a lost App-Id from this file; - reads standard input')
    .addOption(
      new Option(
        '--correct',
        'repair the App-Ids of a client: move them from a misspelled attribute, or separate them at commas; asks first',
      ).conflicts(['from', 'json']),
    )
    .action(async (clientId: string, options: AddOptions) => {
      const { from, correct, json, yes, dryRun, ...target } = options;
      if (correct) return repairAppIds(terminal, clientId, { yes, dryRun, ...target });
      const note = noteTo(terminal);
      const deployment = await findDeployment(target);
      const existing = from === undefined ? undefined : await readAppId(from, terminal);
      using table = configsTable(deployment);
      const item = await readExistingClient(table, clientId);
      const to = `to client ${clientId} in ${deploymentName(deployment)}`;
      expectSeparateAppIds(item);
      noteMisspelledAppIds(terminal, item);
      if (existing !== undefined && readAccessLists(item, false).appIds.includes(existing)) {
        return note(
          `The client has App-Id ${fingerprintOf(existing)} already. Nothing was changed.`,
        );
      }
      const appId = existing ?? randomUUID();
      const key = fingerprintOf(appId);
      if (dryRun) return note(`Would add ${existing ? `the key ${key}` : 'a key'} ${to}.`);
      const change = { by: await author(deployment), message: `Added the key ${key}` };
      const next = (appIds: readonly string[], stored: ConfigsItem) => {
        expectSeparateAppIds(stored);
        return [...appIds, appId];
      };
      await changeAppIds(table, clientId, next, change);
      note(`Added the key ${key} ${to}.`);
      if (existing === undefined) note('The App-Id, which is not shown again:');
      const isNew = existing === undefined;
      if (json) printTo(terminal)(JSON.stringify({ clientId, ...(isNew && { appId }), key }));
      else if (isNew) printTo(terminal)(appId);
    });
  return addExamples(
    command,
    'keys add demo --stack CustomerDataApi-prod',
    'keys add demo --local --json',
    'keys add demo --from app-id.txt --stack CustomerDataApi-prod',
    'keys add demo --correct --dry-run --stack CustomerDataApi-prod',
  );
}

interface RevokeOptions extends DeploymentOptions, WriteOptions {
  readonly force?: boolean;
}

function revokeCommand(terminal: Terminal): Command {
  const command = addWriteOptions(addDeploymentOptions(new Command('revoke')))
    .description('revoke an App-Id: requests of apps that send it are refused')
    .argument(...CLIENT_ID)
    .argument(
      '<key>',
      'the digits that keys list shows, or the App-Id itself (your shell may store it)',
    )
    .option('--force', 'revoke even the last App-Id, after which every request is refused')
    .action(async (clientId: string, text: string, options: RevokeOptions) => {
      const { force, yes, dryRun, ...target } = options;
      expectConfirmation(terminal, { yes, dryRun });
      const note = noteTo(terminal);
      const deployment = await findDeployment(target);
      using table = configsTable(deployment);
      const item = await readExistingClient(table, clientId);

      const without = (appIds: readonly string[]): string[] => {
        const appId = findAppId(appIds, text, clientId);
        const others = appIds.filter((one) => one !== appId);
        if (others.length > 0 || force) return others;
        throw new UsageError(
          `This is the last App-Id of client ${clientId}. Without it, every request is refused. Add another one with keys add, or add --force.`,
        );
      };
      const { appIds } = readAccessLists(item, false);
      const left = without(appIds);
      const key = fingerprintOf(findAppId(appIds, text, clientId));
      const of = `App-Id ${key} of client ${clientId}`;
      const rest =
        left.length > 0
          ? `${listed(left)} ${left.length === 1 ? 'stays' : 'stay'}.`
          : 'The client would have no App-Ids left.';
      // Loaded here, because the other commands do not need its SDK client.
      const { describeAppIdUses } = await import('./app-id-uses.ts');
      const uses = await whileWaiting(terminal, 'Searching the logs for its uses', () =>
        describeAppIdUses(deployment, clientId, key),
      );
      note(uses);
      note(rest);
      if (dryRun) return note(`Would revoke ${of} in ${deploymentName(deployment)}.`);
      await confirmChange(terminal, {
        deployment,
        isAnswered: yes,
        question: `Revoke ${of}? Apps that send it are refused.`,
      });
      const change = { by: await author(deployment), message: `Revoked the key ${key}` };
      await changeAppIds(table, clientId, without, change);
      note(`Revoked ${of} in ${deploymentName(deployment)}.`);
    });
  return addExamples(
    command,
    'keys revoke demo 3f9a1c04 --stack CustomerDataApi-prod --dry-run',
    'keys revoke demo 3f9a1c04 --stack CustomerDataApi-prod',
  );
}

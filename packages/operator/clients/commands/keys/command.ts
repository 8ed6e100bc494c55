import { randomUUID } from 'node:crypto';
import { Command, Option } from 'commander';
import type { ConfigsItem } from 'customer-data-api/clients';
import { fingerprintOf, readAccessLists } from 'customer-data-api/clients';
import { shortened } from 'customer-data-api/configuration';
import {
  author,
  type Deployment,
  deploymentName,
  findDeployment,
  findDeploymentToChange,
} from 'customer-data-api-deployment';
import { appsHaveItBy, utcTime } from 'customer-data-api-deployment/outputs';
import {
  noteTo,
  printable,
  printTo,
  suggested,
  type Terminal,
  tableRows,
  UserError,
  whileWaiting,
  wrapped,
} from 'customer-data-api-deployment/program';
import { authorName } from '../../../author-name.ts';
import { configurationTables } from '../../../configurations/tables.ts';
import { confirmChange, expectConfirmation } from '../../../confirm.ts';
import {
  type AdditionOptions,
  additionCommand,
  type ChangeOptions,
  CLIENT_ID,
  changeCommand,
  type ReadOptions,
  readCommand,
} from '../../../options.ts';
import { type AppIdLabel, appIdName, readAppIdLabels } from '../../app-id-labels.ts';
import type { AppIdUses } from '../../app-id-uses.ts';
import {
  addAppId,
  appIdsWithout,
  expectAddable,
  revokeAppId,
  takeOverAppIds,
} from '../../app-ids.ts';
import { misspellingsOf } from '../../change-client.ts';
import { readExistingClient } from '../../configs-table.ts';
import { findAppId, listed } from '../../find-app-id.ts';
import { refusedAppIds } from '../../refused-app-ids.ts';
import { printAppId } from './print-app-id.ts';
import { readAppId } from './read-app-id.ts';

/** `./customer-data keys`: the App-Ids of a client. */
export function keysCommand(terminal: Terminal): Command {
  return new Command('keys')
    .addCommand(listCommand(terminal))
    .addCommand(addCommand(terminal))
    .addCommand(revokeCommand(terminal));
}

function listCommand(terminal: Terminal): Command {
  return readCommand('list', ['keys list demo --stack CustomerDataApi-prod'])
    .description('list the App-Ids of a client')
    .argument(...CLIENT_ID)
    .action(async (clientId: string, { json, ...options }: ReadOptions) => {
      const note = wrapped(noteTo(terminal), terminal.stderr);
      const print = printTo(terminal);
      const deployment = await findDeployment(options);
      using tables = configurationTables(deployment.outputs);
      const item = await readExistingClient(tables, clientId);
      const fingerprints = readAccessLists(item, false).appIds.map(fingerprintOf).toSorted();
      if (fingerprints.length === 0) {
        return note(`Client ${clientId} has no App-Ids: every request of its apps is refused.`);
      }
      const labels = readAppIdLabels(item);
      const found = await searchUses(terminal, deployment, clientId, fingerprints);
      const uses = typeof found === 'string' ? [] : found;
      if (!json) print(row('APP-ID', 'LABEL', 'ADDED', 'BY', 'LAST LOGGED', 'USES IN 24 H'));
      for (const [index, fingerprint] of fingerprints.entries()) {
        const label = labels.get(fingerprint);
        print(
          json
            ? JSON.stringify({ fingerprint, ...label, ...uses[index] })
            : rowOf(fingerprint, label, uses[index]),
        );
      }
      note(
        typeof found === 'string'
          ? `Uses are unknown: ${found}`
          : "Only an App-Id's first use in an hour is logged at once. Others are logged later, or not at all.",
      );
    });
}

/** The cells are cut to the widths of their columns. */
const [LABEL_CHARACTERS, BY_CHARACTERS] = [14, 12];
const row = tableRows(8, LABEL_CHARACTERS, 10, BY_CHARACTERS, 17);

function rowOf(
  fingerprint: string,
  { label = '-', at, by }: AppIdLabel = {},
  uses?: AppIdUses,
): string {
  return row(
    fingerprint,
    shortened(printable(label), LABEL_CHARACTERS - 1),
    at?.slice(0, 10) ?? '-',
    by === undefined ? '-' : shortened(authorName(by), BY_CHARACTERS - 1),
    uses ? (uses.lastLogged?.replace(/T(\d\d:\d\d).*/, ' $1Z') ?? '-') : 'unknown',
    uses?.uses.toLocaleString('en') ?? 'unknown',
  );
}

/**
 * Counts the uses of App-Ids. Loaded here, because the other commands do not need its SDK client.
 */
async function searchUses(
  terminal: Terminal,
  deployment: Deployment,
  clientId: string,
  fingerprints: readonly string[],
) {
  const { countAppIdUses } = await import('../../app-id-uses.ts');
  return whileWaiting(terminal, 'Searching the logs for uses', () =>
    countAppIdUses(deployment, clientId, fingerprints),
  );
}

interface AddOptions extends AdditionOptions {
  readonly from?: string;
  readonly refused?: boolean;
}

function addCommand(terminal: Terminal): Command {
  return additionCommand('add', [
    'keys add demo --label "iOS 4" --stack CustomerDataApi-prod',
    'keys add demo --local --json',
    'keys add demo --from app-id.txt --stack CustomerDataApi-prod',
    'keys add demo --refused --stack CustomerDataApi-prod --dry-run',
  ])
    .description('create another App-Id for a client and print it once; the others stay valid')
    .argument(...CLIENT_ID)
    .option('--from <file>', 'restore a lost App-Id from this file; - reads standard input')
    .addOption(
      new Option(
        '--refused',
        'admit those that are in a misspelled attribute, or in one string with commas',
      ).conflicts(['from', 'label']),
    )
    .action(async (clientId: string, { refused, ...options }: AddOptions) => {
      if (refused) return addRefused(terminal, clientId, options);
      const { from, label, json, dryRun, ...target } = options;
      const note = noteTo(terminal);
      const deployment = await findDeploymentToChange(target);
      const existing = from === undefined ? undefined : await readAppId(from, terminal);
      using tables = configurationTables(deployment.outputs);
      const item = await readExistingClient(tables, clientId);
      const to = `to client ${clientId} in ${deploymentName(deployment)}`;
      noteMisspelledAppIds(terminal, item);
      const appId = existing ?? randomUUID();
      const fingerprint = fingerprintOf(appId);
      if (readAccessLists(item, false).appIds.includes(appId)) {
        note(`The client has App-Id ${fingerprint} already. Nothing was changed.`);
        if (json) printTo(terminal)(JSON.stringify({ clientId, fingerprint }));
        return;
      }
      expectAddable(item, label);
      if (dryRun)
        return note(`Would add ${existing ? `App-Id ${fingerprint}` : 'an App-Id'} ${to}.`);
      const by = await author(deployment);
      const removed = await addAppId(tables, clientId, { appId, label }, { by });
      noteRemoved(note, removed);
      note(`Added App-Id ${fingerprint} ${to}. Apps can use it by ${effectiveBy(deployment)}.`);
      const isNew = existing === undefined;
      if (isNew) note('The App-Id, which is not shown again:');
      if (isNew) await printAppId(terminal, { clientId, appId }, { json });
      else if (json) printTo(terminal)(JSON.stringify({ clientId, fingerprint }));
    });
}

/** The time from which every function knows a change that was just made. */
function effectiveBy({ outputs }: Deployment): string {
  return utcTime(appsHaveItBy(outputs, new Date().toISOString()));
}

/** Moves the App-Ids that are refused because of a typing mistake to their place. */
async function addRefused(
  terminal: Terminal,
  clientId: string,
  { json, dryRun, ...target }: AddOptions,
): Promise<void> {
  const note = noteTo(terminal);
  const deployment = await findDeploymentToChange(target);
  using tables = configurationTables(deployment.outputs);
  const item = await readExistingClient(tables, clientId);
  const refused = refusedAppIds(item);
  if (!refused) {
    throw new UserError(
      `No App-Id of client ${clientId} is refused because of a typing mistake.`,
      'nothingFound',
    );
  }
  const { appIds, what, from } = refused;
  const of = `${what}, found in ${from}, of client ${clientId} in ${deploymentName(deployment)}`;
  if (dryRun) return note(`Would admit ${of}.`);
  await takeOverAppIds(tables, item, refused, { by: await author(deployment) });
  const they = appIds.length === 1 ? 'it' : 'them';
  note(`Admitted ${of}. Apps can use ${they} by ${effectiveBy(deployment)}.`);
  if (json)
    printTo(terminal)(JSON.stringify({ clientId, fingerprints: appIds.map(fingerprintOf) }));
}

/** Says which misspelled attributes are gone. */
function noteRemoved(note: (line: string) => void, names: readonly string[]): void {
  for (const name of names) note(`Removed the misspelled attribute ${printable(name)}.`);
}

/** Names the attributes of a client that look like misspellings of `appIds`. */
function noteMisspelledAppIds(terminal: Terminal, item: ConfigsItem): void {
  for (const name of misspellingsOf(item, 'appIds')) {
    noteTo(terminal)(
      `The attribute ${printable(name)} looks like a misspelling of appIds, so its App-Ids are refused. To admit them: ${suggested('keys', 'add', String(item.clientId), '--refused')}`,
    );
  }
}

function revokeCommand(terminal: Terminal): Command {
  return changeCommand(
    'revoke',
    [
      'keys revoke demo 3f9a1c04 --stack CustomerDataApi-prod --dry-run',
      'keys revoke demo 3f9a1c04 --stack CustomerDataApi-prod',
    ],
    'revoke even the last App-Id, and change a newer release',
  )
    .description('revoke an App-Id: requests of apps that send it are refused')
    .argument(...CLIENT_ID)
    .argument(
      '<appId>',
      'the digits or the label that keys list shows, or the App-Id itself (your shell may store it)',
    )
    .action(async (clientId: string, text: string, options: ChangeOptions) => {
      const { force, yes, dryRun, json, ...target } = options;
      expectConfirmation(terminal, { yes, dryRun });
      const note = noteTo(terminal);
      const deployment = await findDeploymentToChange({ ...target, force });
      using tables = configurationTables(deployment.outputs);
      const item = await readExistingClient(tables, clientId);

      const labels = readAppIdLabels(item);
      const left = appIdsWithout(item, text, force);
      const { appIds } = readAccessLists(item, false);
      const fingerprint = fingerprintOf(findAppId(appIds, text, clientId, labels));
      const name = printable(appIdName(fingerprint, labels.get(fingerprint)));
      const of = `App-Id ${name} of client ${clientId}`;
      const { describeAppIdUses } = await import('./describe-app-id-uses.ts');
      note(describeAppIdUses(await searchUses(terminal, deployment, clientId, [fingerprint])));
      note(
        left.length > 0
          ? `${listed(left, labels)} ${left.length === 1 ? 'stays' : 'stay'}.`
          : 'The client would have no App-Ids left.',
      );
      if (dryRun) note(`Would revoke ${of} in ${deploymentName(deployment)}.`);
      else {
        const question = `Revoke ${of}? Apps that send it are refused.`;
        await confirmChange(terminal, { deployment, question, isAnswered: yes });
        const by = await author(deployment);
        noteRemoved(note, await revokeAppId(tables, item, text, { by, isLastToo: force }));
        const time = effectiveBy(deployment);
        note(
          `Revoked ${of} in ${deploymentName(deployment)}. It is refused by ${time} at the latest.`,
        );
      }
      if (json) {
        const result = { clientId, fingerprint, isRevoked: !dryRun };
        const others = left.map(fingerprintOf).toSorted();
        printTo(terminal)(JSON.stringify({ ...result, left: others }));
      }
    });
}

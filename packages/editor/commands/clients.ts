import { Command } from 'commander';
import type { StateOfItem } from 'customer-data-api/clients';
import {
  counted,
  countFindings,
  type Finding,
  findingText,
  listOf,
  readConfiguration,
  shareText,
} from 'customer-data-api/configuration';
import { newestVersion, type Version } from 'customer-data-api/history';
import {
  type ConfigurationTables,
  configurationTables,
  type Deployment,
  deploymentName,
  findDeployment,
} from 'customer-data-api-deployment';
import { runChange } from 'customer-data-api-deployment/change';
import {
  type ChangeOptions,
  CLIENT_ID,
  changeCommand,
  type ReadOptions,
  readClientId,
  readCommand,
} from 'customer-data-api-deployment/commands';
import {
  columnsOf,
  type Line,
  type Output,
  type Painted,
  paint,
  printAll,
  printable,
  printTo,
  type Terminal,
  tableRows,
  wrap,
} from 'customer-data-api-deployment/program';
import { appClientsChange, clientCreation, clientRemoval } from '../clients/client-changes.ts';
import { readExistingClient } from '../clients/configs-table.ts';
import { hasOwnChange, listStates, stateForOperators } from '../clients/state-for-operators.ts';
import { isManualEdit } from '../configurations/history.ts';
import { describeVersion } from '../error-messages.ts';
import { appIdName } from '../words.ts';
import { type AdditionOptions, additionCommand } from './app-id-options.ts';
import { newAppId } from './keys.ts';

/** `./customer-data clients`: who may call the API. */
export function clientsCommand(terminal: Terminal): Command {
  return new Command('clients')
    .addCommand(listCommand(terminal))
    .addCommand(showCommand(terminal))
    .addCommand(createCommand(terminal))
    .addCommand(setAppClientsCommand(terminal))
    .addCommand(removeCommand(terminal));
}

function listCommand(terminal: Terminal): Command {
  return readCommand('list', [
    'clients list --stack CustomerDataApi-prod',
    'clients list --local --json',
  ])
    .description('list all clients, unsorted')
    .action(async ({ json, ...options }: ReadOptions) => {
      const deployment = await findDeployment(options);
      using tables = configurationTables(deployment.outputs);
      await printAll(terminal, lines(tables, deployment, json, terminal));
    });
}

async function* lines(
  tables: ConfigurationTables,
  deployment: Deployment,
  json = false,
  { stdout }: Terminal,
): AsyncGenerator<Line> {
  if (!json) yield LIST_HEADINGS;
  for await (const state of listStates(tables, deployment)) {
    // How many findings there are, instead of what they are.
    if (json) yield JSON.stringify({ ...jsonOf(state), ...countFindings(state.findings) });
    else yield* clientLines(state, stdout);
  }
}

function showCommand(terminal: Terminal): Command {
  return readCommand('show', ['clients show demo --stack CustomerDataApi-prod'])
    .description(
      'show the App-Ids, app clients and findings of a client; config show shows its fields',
    )
    .argument(...CLIENT_ID)
    .action(async (clientId: string, { json, ...options }: ReadOptions) => {
      const print = printTo(terminal);
      const deployment = await findDeployment(options);
      using tables = configurationTables(deployment.outputs);
      const stored = await readExistingClient(tables, clientId);
      const newest = await newestVersion(tables, clientId);
      const state = stateForOperators(stored, deployment, newest);
      const { findings } = state;
      const isItsOwnChange = await hasOwnChange(tables, state);
      if (json) return print(JSON.stringify({ ...jsonOf(state, isItsOwnChange), findings }));
      const { stdout } = terminal;
      for (const line of describeClient(state, isItsOwnChange, stdout, newest)) print(line);
      for (const finding of findings) describeFinding(finding, stdout).forEach(print);
    });
}

function createCommand(terminal: Terminal): Command {
  return additionCommand('create', [
    'clients create pizza --label iOS --stack CustomerDataApi-prod',
    'clients create pizza --local --json',
    'clients create pizza --stack CustomerDataApi-prod --app-client 2f4k5example',
    'clients create pizza --stack CustomerDataApi-prod --case-sensitive-codes',
  ])
    .description('create a client without fields, and print its App-Id once')
    .argument('<clientId>', 'the new id', readClientId)
    .option('--app-client <id...>', 'the Cognito app clients whose tokens it accepts')
    .option(
      '--case-sensitive-codes',
      'SAVE10 and save10 are two promo codes; else they are one. It cannot be changed later',
    )
    .action(
      (
        clientId: string,
        {
          appClient: appClients,
          label,
          caseSensitiveCodes,
          ...options
        }: AdditionOptions & {
          readonly appClient?: string[];
          readonly caseSensitiveCodes?: boolean;
        },
      ) => {
        const creation = clientCreation(clientId, { appClients, label, caseSensitiveCodes });
        return runChange(terminal, options, creation, {
          shown: () => [],
          would: ({ userPoolClientIds, promoCodesIgnoreCase }, deployment) => [
            `Would create client ${clientId} in ${deploymentName(deployment)}.`,
            `It would accept tokens of ${namedAppClients(userPoolClientIds)}.`,
            describeCase(promoCodesIgnoreCase),
          ],
          done: (_, deployment, { promoCodesIgnoreCase }) => [
            `Created client ${clientId} in ${deploymentName(deployment)}.`,
            describeCase(promoCodesIgnoreCase),
            'Its App-Id, which is not shown again:',
          ],
          ...newAppId,
          json: ({ userPoolClientIds, promoCodesIgnoreCase }, done) =>
            done
              ? { ...newAppId.json(done), promoCodesIgnoreCase }
              : { clientId, userPoolClientIds, promoCodesIgnoreCase },
        });
      },
    );
}

function describeCase(promoCodesIgnoreCase: boolean): string {
  return promoCodesIgnoreCase
    ? 'SAVE10 and save10 are one promo code of it.'
    : 'SAVE10 and save10 are two promo codes of it.';
}

function setAppClientsCommand(terminal: Terminal): Command {
  return changeCommand('set-app-clients', [
    'clients set-app-clients pizza 2f4k5example --stack CustomerDataApi-prod --dry-run',
    'clients set-app-clients pizza 2f4k5example --stack CustomerDataApi-prod',
  ])
    .description(
      'set the Cognito app clients whose tokens a client accepts. Tokens of all others are refused',
    )
    .argument(...CLIENT_ID)
    .argument('<id...>', 'one or more ids of app clients of the deployment')
    .action((clientId: string, chosen: string[], options: ChangeOptions) => {
      const list = `the app clients of client ${clientId}`;
      return runChange(terminal, options, appClientsChange(clientId, chosen), {
        shown: ({ hasEffect, before, after }) =>
          hasEffect
            ? [
                `Client ${clientId} accepts tokens of ${namedAppClients(before)}.`,
                `It would accept tokens of ${namedAppClients(after)}.`,
              ]
            : ['Already set. Nothing was changed.'],
        would: (_, deployment) => [`Would set ${list} in ${deploymentName(deployment)}.`],
        question: () => `Set ${list}? Apps that sign in with any other are refused.`,
        done: (_, deployment) => [`Set ${list} in ${deploymentName(deployment)}.`],
        json: ({ after }, done) => ({
          clientId,
          userPoolClientIds: after,
          isSet: done !== undefined,
        }),
      });
    });
}

/** App clients in a sentence. Undefined stands for all of the deployment. */
function namedAppClients(ids: readonly string[] | undefined): string {
  if (!ids) return 'all app clients';
  if (ids.length === 0) return 'no app client';
  return `the app ${ids.length === 1 ? 'client' : 'clients'} ${ids.map(printable).join(', ')}`;
}

function removeCommand(terminal: Terminal): Command {
  return changeCommand('remove', [
    'clients remove pizza --stack CustomerDataApi-prod --dry-run',
    'clients remove pizza --stack CustomerDataApi-prod',
  ])
    .description('remove a client: every request of its apps is refused')
    .argument(...CLIENT_ID)
    .action((clientId: string, options: ChangeOptions) =>
      runChange(terminal, options, clientRemoval(clientId), {
        shown: ({ state, isItsOwnChange }) => [
          ...describeClient(state, isItsOwnChange, terminal.stderr),
          'Its history and promo events are kept.',
        ],
        would: (_, deployment) => [
          `Would remove client ${clientId} from ${deploymentName(deployment)}.`,
        ],
        question: () => `Remove client ${clientId}?`,
        done: (_, deployment) => [`Removed client ${clientId} from ${deploymentName(deployment)}.`],
        json: (_, done) => ({ clientId, isRemoved: done !== undefined }),
      }),
    );
}

/** The width of the column with the ids. A longer id moves the rest of its line. */
const ID_COLUMNS = 24;

/** The indent of remarks on a client that are too long for its line on a terminal. */
const INDENT = '    ';

const row = tableRows(ID_COLUMNS, 6, 7);

/** The headings of a list of clients. */
const LIST_HEADINGS = row('CLIENT', 'FIELDS', 'APP-IDS', 'FINDINGS');

/**
 * Returns a client for programs, without its fields, findings and App-Ids.
 *
 * @param isItsOwnChange false to leave out `lastChange`, which may be that of another client.
 */
function jsonOf(state: StateOfItem, isItsOwnChange = true) {
  const { clientId, access, appIds, live, rollout, lastChange } = state;
  const { promoCodesIgnoreCase = false } = state;
  const labelled = appIds.filter(({ named }) => Object.keys(named).length > 0);
  return {
    clientId,
    fingerprints: access.fingerprints,
    labels: Object.fromEntries(labelled.map(({ fingerprint, named }) => [fingerprint, named])),
    userPoolClientIds: access.userPoolClientIds,
    isLockedOut: state.isLockedOut,
    promoCodesIgnoreCase,
    ...fieldCounts(live),
    lastFieldId: live.attributes.lastFieldId,
    ...(rollout && { rollout: { percent: rollout.percent, devices: rollout.devices } }),
    ...(isItsOwnChange ? { lastChange } : { hasUnrecordedChange: true }),
  };
}

/** Counts the stored fields of a client, and those of them that customers do not see. */
function fieldCounts({ attributes }: StateOfItem['live']) {
  const isList = Array.isArray(attributes.fields);
  return {
    fields: listOf(attributes.fields).length,
    leftOut: isList ? readConfiguration(attributes).leftOut : 0,
  };
}

/** A client in one line, or on a narrow terminal in two. */
function clientLines(client: StateOfItem, stream: Output): Line[] {
  const { clientId, access, live } = client;
  const { fields } = fieldCounts(live);
  const counts = [String(fields).padStart(6), String(access.fingerprints.length).padStart(7)];
  const start = row(printable(clientId), ...counts);
  const remarks = remarksOn(client);
  if (remarks.length === 0) return [start];
  const { length } = `${start}  ${remarks.map(({ text }) => text).join(', ')}`;
  const listed = remarks.flatMap((remark, index) => (index === 0 ? [remark] : [', ', remark]));
  return length <= columnsOf(stream) ? [[`${start}  `, ...listed]] : [start, [INDENT, ...listed]];
}

/** The problems that need attention, the worst first. */
function remarksOn(client: StateOfItem): Painted[] {
  const { errors, warnings } = countFindings(client.findings);
  return [
    ...(client.isLockedOut ? [paint('red', 'locked out')] : []),
    ...(errors > 0 ? [paint('red', counted(errors, 'error'))] : []),
    ...(warnings > 0 ? [paint('yellow', counted(warnings, 'warning'))] : []),
  ];
}

const ANY_APP_CLIENT = 'any: tokens of other clients are accepted, too';

/** A client in several lines. */
function describeClient(
  client: StateOfItem,
  isItsOwnChange: boolean,
  stream: Output,
  newest?: Version,
): Line[] {
  const { clientId, access, appIds, live, lastChange, promoCodesIgnoreCase, rollout } = client;
  const { userPoolClientIds } = access;
  const { lastFieldId } = live.attributes;
  const { fields, leftOut } = fieldCounts(live);
  const names = appIds.map(appIdName).toSorted();
  const { errors, warnings } = countFindings(client.findings);
  const rows = {
    'App-Ids': names.join(', ') || 'none',
    'app clients': userPoolClientIds ? userPoolClientIds.join(', ') || 'none' : ANY_APP_CLIENT,
    'promo codes': promoCodesIgnoreCase ? 'case does not count' : 'case counts',
    fields: `${fields}${leftOut > 0 ? `, of which customers do not see ${leftOut}` : ''}, lastFieldId ${lastFieldId === undefined ? 'missing' : JSON.stringify(lastFieldId)}`,
    ...(rollout && { rollout: `to ${shareText(rollout)}` }),
    findings: `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`,
    'last command': !isItsOwnChange
      ? 'not in its history, so it may be that of another client'
      : lastChange
        ? `${lastChange.at} by ${lastChange.by}: ${lastChange.message}`
        : 'none',
    ...(newest && isManualEdit(newest) && { 'last change': describeVersion(newest) }),
  };
  return [
    [`Client ${clientId}`, ...(client.isLockedOut ? [': ', paint('red', 'locked out')] : [])],
    ...Object.entries(rows).flatMap(([name, text]): Line[] => {
      const indent = ' '.repeat(15);
      const [first = '', ...others] = wrap(text, columnsOf(stream), indent).map((line) =>
        text === ANY_APP_CLIENT ? paint('yellow', line.trimStart()) : line.trimStart(),
      );
      return [[`  ${name.padEnd(12)} `, first], ...others.map((line) => [indent, line])];
    }),
  ];
}

/** A finding in a client's item. */
function describeFinding(finding: Finding, stream: Output): string[] {
  const text = `${finding.severity}: ${findingText(finding)}`;
  const [first = '', ...others] = wrap(text, columnsOf(stream), '    ');
  return [`  ${first.trimStart()}`, ...others];
}

import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { countFindings } from 'customer-data-api/configuration';
import { newestVersion } from 'customer-data-api/history';
import {
  author,
  type Deployment,
  deploymentName,
  findDeployment,
  findDeploymentToChange,
} from 'customer-data-api-deployment';
import {
  type Line,
  noteTo,
  printAll,
  printTo,
  type Terminal,
} from 'customer-data-api-deployment/program';
import { configurationTables } from '../../../configurations/tables.ts';
import { confirmChange, expectConfirmation } from '../../../confirm.ts';
import { ClientExists } from '../../../errors.ts';
import {
  type AdditionOptions,
  additionCommand,
  type ChangeOptions,
  CLIENT_ID,
  changeCommand,
  type ReadOptions,
  readClientId,
  readCommand,
} from '../../../options.ts';
import { chooseAppClients } from '../../app-clients.ts';
import { createClient, removeClient } from '../../change-client.ts';
import { summarizeClient } from '../../client-summary.ts';
import {
  type ConfigsTable,
  listClients,
  readClient,
  readExistingClient,
} from '../../configs-table.ts';
import { expectNewId } from '../../new-client-id.ts';
import { printAppId } from '../keys/print-app-id.ts';
import { namedAppClients, setAppClientsCommand } from './cognito-app-clients.ts';
import { describeClient, describeFinding, LIST_HEADINGS, linesOf } from './describe.ts';

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
  table: ConfigsTable,
  { requiresUserPoolClientIds }: Deployment,
  json = false,
  { stdout }: Terminal,
): AsyncGenerator<Line> {
  if (!json) yield LIST_HEADINGS;
  for await (const item of listClients(table)) {
    const client = summarizeClient(item, requiresUserPoolClientIds);
    // How many findings there are, instead of what they are.
    const { findings, ...brief } = client;
    if (json) yield JSON.stringify({ ...brief, ...countFindings(client.findings) });
    else yield* linesOf(client, stdout);
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
      const item = await readExistingClient(tables, clientId);
      const client = summarizeClient(item, deployment.requiresUserPoolClientIds);
      if (json) return print(JSON.stringify(client));
      const { stdout } = terminal;
      const newest = await newestVersion(tables, clientId);
      for (const line of describeClient(client, stdout, newest)) print(line);
      for (const finding of client.findings) describeFinding(finding, stdout).forEach(print);
    });
}

interface CreateOptions extends AdditionOptions {
  readonly appClient?: string[];
}

function createCommand(terminal: Terminal): Command {
  return additionCommand('create', [
    'clients create pizza --label iOS --stack CustomerDataApi-prod',
    'clients create pizza --local --json',
    'clients create pizza --stack CustomerDataApi-prod --app-client 2f4k5example',
  ])
    .description('create a client without fields, and print its App-Id once')
    .argument('<clientId>', 'the new id', readClientId)
    .option('--app-client <id...>', 'the Cognito app clients whose tokens it accepts')
    .action(async (clientId: string, options: CreateOptions) => {
      const { appClient, json, dryRun, label, ...target } = options;
      const note = noteTo(terminal);
      const deployment = await findDeploymentToChange(target);
      const userPoolClientIds = chooseAppClients(deployment, appClient);
      using tables = configurationTables(deployment.outputs);
      await expectNewId(tables, clientId);
      if (dryRun) {
        if (await readClient(tables, clientId)) throw new ClientExists(clientId);
        note(`Would create client ${clientId} in ${deploymentName(deployment)}.`);
        note(`It would accept tokens of ${namedAppClients(userPoolClientIds)}.`);
        if (json) printTo(terminal)(JSON.stringify({ clientId, userPoolClientIds }));
        return;
      }
      const appId = randomUUID();
      const change = { by: await author(deployment), message: 'Created', label };
      await createClient(tables, { clientId, appId, userPoolClientIds }, change);
      note(`Created client ${clientId} in ${deploymentName(deployment)}.`);
      note('Its App-Id, which is not shown again:');
      await printAppId(terminal, { clientId, appId }, { json });
    });
}

function removeCommand(terminal: Terminal): Command {
  return changeCommand('remove', [
    'clients remove pizza --stack CustomerDataApi-prod --dry-run',
    'clients remove pizza --stack CustomerDataApi-prod',
  ])
    .description('remove a client: every request of its apps is refused')
    .argument(...CLIENT_ID)
    .action(async (clientId: string, { yes, dryRun, json, ...options }: ChangeOptions) => {
      expectConfirmation(terminal, { yes, dryRun });
      const note = noteTo(terminal);
      const deployment = await findDeploymentToChange(options);
      using tables = configurationTables(deployment.outputs);
      const item = await readExistingClient(tables, clientId);
      const client = summarizeClient(item, deployment.requiresUserPoolClientIds);
      for (const line of describeClient(client, terminal.stderr)) note(line);
      note('Its history and promo events are kept.');
      if (dryRun) note(`Would remove client ${clientId} from ${deploymentName(deployment)}.`);
      else {
        const question = { question: `Remove client ${clientId}?`, typed: clientId };
        await confirmChange(terminal, { deployment, ...question, isAnswered: yes });
        await removeClient(tables, clientId, { by: await author(deployment), message: 'Removed' });
        note(`Removed client ${clientId} from ${deploymentName(deployment)}.`);
      }
      if (json) printTo(terminal)(JSON.stringify({ clientId, isRemoved: !dryRun }));
    });
}

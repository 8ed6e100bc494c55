import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { readAccessLists } from 'customer-data-api/clients';
import { author, deploymentName, findDeploymentToChange } from 'customer-data-api-deployment';
import { noteTo, printable, printTo, type Terminal } from 'customer-data-api-deployment/program';
import { configurationTables } from '../../../configurations/tables.ts';
import { confirmChange, expectConfirmation } from '../../../confirm.ts';
import { type ChangeOptions, CLIENT_ID, changeCommand } from '../../../options.ts';
import { chooseAppClients } from '../../app-clients.ts';
import { misspellingsOf, setAppClients } from '../../change-client.ts';
import { readExistingClient } from '../../configs-table.ts';

/** `./customer-data clients set-app-clients`: whose tokens a client accepts. */
export function setAppClientsCommand(terminal: Terminal): Command {
  return changeCommand('set-app-clients', [
    'clients set-app-clients pizza 2f4k5example --stack CustomerDataApi-prod --dry-run',
    'clients set-app-clients pizza 2f4k5example --stack CustomerDataApi-prod',
  ])
    .description(
      'set the Cognito app clients whose tokens a client accepts. Tokens of all others are refused',
    )
    .argument(...CLIENT_ID)
    .argument('<id...>', 'one or more ids of app clients of the deployment')
    .action(async (clientId: string, chosen: string[], options: ChangeOptions) => {
      const { yes, dryRun, json, ...target } = options;
      expectConfirmation(terminal, { yes, dryRun });
      const note = noteTo(terminal);
      const deployment = await findDeploymentToChange(target);
      const after = chooseAppClients(deployment, [...new Set(chosen)].sort());
      using tables = configurationTables(deployment.outputs);
      const item = await readExistingClient(tables, clientId);
      const misspelled = misspellingsOf(item, 'userPoolClientIds');
      const isSame =
        misspelled.length === 0 && isDeepStrictEqual(item.userPoolClientIds, new Set(after));
      const of = `the app clients of client ${clientId}`;
      if (isSame) note('Already set. Nothing was changed.');
      else {
        const before = readAccessLists(item, deployment.requiresUserPoolClientIds);
        note(`Client ${clientId} accepts tokens of ${namedAppClients(before.userPoolClientIds)}.`);
        note(`It would accept tokens of ${namedAppClients(after)}.`);
        for (const name of misspelled) {
          note(`It would lose the misspelled attribute ${printable(name)}.`);
        }
        if (dryRun) note(`Would set ${of} in ${deploymentName(deployment)}.`);
        else {
          const question = `Set ${of}? Apps that sign in with any other are refused.`;
          await confirmChange(terminal, { deployment, question, isAnswered: yes });
          const message = `Set the app clients ${after.join(', ')}`;
          await setAppClients(tables, item, after, { by: await author(deployment), message });
          note(`Set ${of} in ${deploymentName(deployment)}.`);
        }
      }
      const outcome = { clientId, userPoolClientIds: after, isSet: !isSame && !dryRun };
      if (json) printTo(terminal)(JSON.stringify(outcome));
    });
}

/** App clients in a sentence. Undefined stands for all of the deployment. */
export function namedAppClients(ids: readonly string[] | undefined): string {
  if (!ids) return 'all app clients';
  if (ids.length === 0) return 'no app client';
  return `the app ${ids.length === 1 ? 'client' : 'clients'} ${ids.map(printable).join(', ')}`;
}

import { author, deploymentName, findDeploymentToChange } from 'customer-data-api-deployment';
import { appClientIds } from 'customer-data-api-deployment/outputs';
import {
  noteTo,
  printTo,
  type Terminal,
  UserError,
  wrapped,
} from 'customer-data-api-deployment/program';
import { readExistingClient } from '../clients/configs-table.ts';
import { repairsOf } from '../clients/repairs.ts';
import { configurationTables } from '../configurations/tables.ts';
import { confirm, expectConfirmation } from '../confirm.ts';
import type { ChangeOptions } from '../options.ts';

/**
 * Repairs what a typing mistake did to the App-Ids and app clients of a client: moves them from
 * misspelled attributes, and separates those in one string. Asks for each change.
 *
 * @throws UserError if there is nothing to repair, if a value cannot be read, and if every answer
 *   is no.
 * @throws ClientConflict if somebody changes the attributes meanwhile.
 */
export async function fixClient(
  terminal: Terminal,
  clientId: string,
  { yes, dryRun, json, ...options }: ChangeOptions,
): Promise<void> {
  expectConfirmation(terminal, { yes, dryRun });
  const note = wrapped(noteTo(terminal), terminal.stderr);
  const deployment = await findDeploymentToChange(options);
  using table = configurationTables(deployment.outputs);
  const item = await readExistingClient(table, clientId);
  const repairs = repairsOf(table, item, appClientIds(deployment.outputs));
  if (repairs.length === 0) {
    throw new UserError(`Client ${clientId} has no typing mistake to repair.`, 'nothingFound');
  }
  const repaired: string[] = [];
  for (const { attribute, from, what, action, effect, run } of repairs) {
    note(`Refused now: ${what} in ${from} of client ${clientId}.`);
    if (dryRun) {
      note(`Would ${action} in ${deploymentName(deployment)}.`);
      continue;
    }
    const question = `${action[0]?.toUpperCase()}${action.slice(1)}? ${effect}`;
    if (!(await confirm(terminal, { deployment, question, isAnswered: yes }))) continue;
    await run(await author(deployment));
    repaired.push(attribute);
  }
  if (json) printTo(terminal)(JSON.stringify({ clientId, repaired }));
  if (repaired.length === 0 && !dryRun) throw new UserError('Nothing was changed.', 'notConfirmed');
  if (repaired.length > 0) note(`Repaired ${repaired.join(' and ')} of client ${clientId}.`);
}

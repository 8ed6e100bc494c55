import { changeKeys, misspelledKeys } from '../../core/clients/change-client.ts';
import { appIdsIn, type ConfigsItem } from '../../core/clients/client-record.ts';
import { readExistingClient } from '../../core/clients/configs-table.ts';
import { CommandError } from '../../core/platform/command-error.ts';
import { printable } from '../../core/text.ts';
import { author } from '../author.ts';
import { configsTable } from '../clients/table.ts';
import { type DeploymentOptions, findDeployment, nameOf } from '../deployment.ts';
import { noteTo, type Terminal } from '../terminal.ts';
import { listed } from './find-key.ts';

/** Says which attributes of a client look like misspellings of `appIds`, because their keys admit nobody. */
export function noteMisspelledKeys(terminal: Terminal, item: ConfigsItem): void {
  for (const name of misspelledKeys(item, 'appIds')) {
    noteTo(terminal)(
      `The attribute ${printable(name)} looks like a misspelling of appIds, so what is in it admits nobody. keys add ${item.clientId} --correct makes App-Ids of it.`,
    );
  }
}

/**
 * Gives a client the App-Ids in attributes that look like misspellings of `appIds`, and removes these attributes.
 *
 * @throws CommandError if there is none.
 */
export async function correctKeys(
  terminal: Terminal,
  clientId: string,
  { dryRun, ...options }: DeploymentOptions & { readonly dryRun?: boolean | undefined },
): Promise<void> {
  const note = noteTo(terminal);
  const deployment = await findDeployment(options);
  using table = configsTable(deployment);
  const item = await readExistingClient(table, clientId);
  const names = misspelledKeys(item, 'appIds');
  if (names.length === 0) {
    throw new CommandError(
      `No attribute of the client ${clientId} looks like a misspelling of appIds.`,
    );
  }
  const found = (stored: ConfigsItem) => names.flatMap((name) => appIdsIn(stored, name));
  const keys = found(item);
  const from = `${names.map(printable).join(', ')} of the client ${clientId} in ${nameOf(deployment)}`;
  const result =
    keys.length > 0
      ? `${listed(keys)} ${keys.length === 1 ? 'is' : 'are'} in ${from}.`
      : `No key can be read in ${from}.`;
  note(result);
  if (dryRun) return note('Would make App-Ids of them, and remove the attribute.');
  const message = `Corrected ${names.join(', ')} to appIds`;
  const change = { by: await author(deployment), message };
  const next = (appIds: readonly string[], stored: ConfigsItem) => [
    ...new Set([...appIds, ...found(stored)]),
  ];
  await changeKeys(table, clientId, next, change, names);
  note('Corrected: they admit, and the attribute is removed.');
}

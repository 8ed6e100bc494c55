import { isDeepStrictEqual } from 'node:util';
import { changeAppIds, misspellingsOf } from '../../../admin/clients/change-client.ts';
import { readExistingClient } from '../../../admin/clients/configs-table.ts';
import type { ConfigsItem } from '../../../core/client-attributes.ts';
import { appIdsIn, joinedAppIds } from '../../../core/clients/client-access.ts';
import { printable } from '../../../core/text.ts';
import { UserError } from '../../../core/user-error.ts';
import { author } from '../../deployment/author.ts';
import { confirmChange, expectConfirmation } from '../../deployment/confirm.ts';
import { deploymentName, findDeployment } from '../../deployment/deployment.ts';
import type { DeploymentOptions } from '../../deployment/options.ts';
import { configsTable } from '../../deployment/tables.ts';
import type { WriteOptions } from '../../options.ts';
import { noteTo, type Terminal } from '../../terminal/terminal.ts';
import { listed } from './find-app-id.ts';

/**
 * Says which attributes of a client look like misspellings of `appIds`, because their keys admit
 * nobody.
 */
export function noteMisspelledAppIds(terminal: Terminal, item: ConfigsItem): void {
  for (const name of misspellingsOf(item, 'appIds')) {
    noteTo(terminal)(
      `The attribute ${printable(name)} looks like a misspelling of appIds, so its App-Ids are refused. To move them: keys add ${item.clientId} --correct`,
    );
  }
}

/**
 * @throws UserError if `appIds` is one string with commas: a new key would take its place, and the
 * keys in it would be lost.
 */
export function expectSeparateAppIds(item: ConfigsItem): void {
  if (joinedAppIds(item).length === 0) return;
  throw new UserError(
    `Nothing was changed: appIds of client ${item.clientId} is one string with commas, so its App-Ids are refused. To separate them: keys add ${item.clientId} --correct`,
    'unreadableKeys',
  );
}

/**
 * Gives a client the App-Ids in attributes that look like misspellings of `appIds`, and removes
 * these attributes, if confirmed. Also separates those in an `appIds` that is one string with
 * commas.
 *
 * @throws UserError if there is nothing to correct, if a value of one cannot be read, and when the
 *   answer is no. Nothing is changed then.
 * @throws ConflictError if somebody changes such an attribute meanwhile.
 */
export async function repairAppIds(
  terminal: Terminal,
  clientId: string,
  { yes, dryRun, ...options }: DeploymentOptions & WriteOptions,
): Promise<void> {
  expectConfirmation(terminal, { yes, dryRun });
  const note = noteTo(terminal);
  const deployment = await findDeployment(options);
  using table = configsTable(deployment);
  const item = await readExistingClient(table, clientId);
  const names = misspellingsOf(item, 'appIds');
  const isJoined = joinedAppIds(item).length > 0;
  if (names.length === 0 && !isJoined) {
    throw new UserError(`Client ${clientId} has no misspelled appIds to repair.`, 'nothingFound');
  }
  const keys = readAll(item, names);
  const list = [...(isJoined ? ['appIds'] : []), ...names.map(printable)].join(', ');
  const attributes = `the ${names.length === 1 ? 'attribute' : 'attributes'} ${names.map(printable).join(', ')}`;
  const [remove, removed] = ['remove', 'removed'].map((verb) =>
    names.length > 0 ? `, and ${verb} ${attributes}` : '',
  );
  const place = `${list} of client ${clientId} in ${deploymentName(deployment)}`;
  note(`${listed(keys)} ${keys.length === 1 ? 'is' : 'are'} in ${place}.`);
  if (dryRun) return note(`Would move them to appIds${remove}.`);
  await confirmChange(terminal, {
    deployment,
    isAnswered: yes,
    question: `Move them to appIds${remove}? Apps that send them will work again.`,
  });
  const next = (appIds: readonly string[], stored: ConfigsItem) => {
    if (isDeepStrictEqual(readAll(stored, names), keys)) return [...appIds, ...keys];
    throw new UserError(
      `Somebody else changed ${list} of client ${clientId} at the same time. Nothing was changed.`,
      'conflict',
    );
  };
  const message =
    names.length > 0
      ? `Moved ${listed(keys, 'the')} from ${list} to appIds`
      : `Separated ${listed(keys, 'the')} in appIds`;
  await changeAppIds(table, clientId, next, { by: await author(deployment), message }, names);
  note(`Moved them to appIds${removed}.`);
}

/**
 * The App-Ids in attributes of a client, and in an `appIds` that is one string with commas.
 *
 * @throws UserError if a value cannot be read: to remove its attribute would lose it.
 */
function readAll(item: ConfigsItem, names: readonly string[]): string[] {
  const found = names.flatMap((name) => {
    const appIds = appIdsIn(item, name);
    if (appIds) return appIds;
    throw new UserError(
      `Nothing was changed: the attribute ${printable(name)} contains no App-Ids, or a value that is not one. It must be a string set, or a list of strings. Correct or remove it in the table.`,
      'unreadableKeys',
    );
  });
  return [...new Set([...joinedAppIds(item), ...found])].toSorted();
}

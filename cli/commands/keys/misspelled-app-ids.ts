import { misspellingsOf } from '../../../admin/clients/change-client.ts';
import type { ConfigsItem } from '../../../core/client-attributes.ts';
import { joinedAppIds } from '../../../core/clients/client-access.ts';
import { printable } from '../../../core/text.ts';
import { UserError } from '../../../core/user-error.ts';
import { suggested } from '../../suggestion.ts';
import { noteTo, type Terminal } from '../../terminal/terminal.ts';

/** Names the attributes of a client that look like misspellings of `appIds`: they admit nobody. */
export function noteMisspelledAppIds(terminal: Terminal, item: ConfigsItem): void {
  for (const name of misspellingsOf(item, 'appIds')) {
    noteTo(terminal)(
      `The attribute ${printable(name)} looks like a misspelling of appIds, so its App-Ids are refused. To move them: ${suggested('doctor', '--fix', String(item.clientId))}`,
    );
  }
}

/**
 * @throws UserError if `appIds` is one string with commas: a new App-Id would take its place, and
 *   those in it would be lost.
 */
export function expectSeparateAppIds(item: ConfigsItem): void {
  if (joinedAppIds(item).length === 0) return;
  throw new UserError(
    `Nothing was changed: appIds of client ${item.clientId} is one string with commas, so its App-Ids are refused. To separate them: ${suggested('doctor', '--fix', String(item.clientId))}`,
    'unreadableKeys',
  );
}

import { Command } from 'commander';
import { counted, StoredId } from 'customer-data-api/configuration';
import { runChange } from 'customer-data-api-deployment/change';
import {
  type ChangeOptions,
  CLIENT_ID,
  changeCommand,
  parserOf,
} from 'customer-data-api-deployment/commands';
import { suggesting, type Terminal } from 'customer-data-api-deployment/program';
import { userErasure } from '../erase.ts';
import { escapedId } from '../same-user-or-code.ts';

interface Options extends ChangeOptions {
  readonly user: string;
}

/** `./customer-data user`: what is stored about the users of apps. */
export function userCommand(terminal: Terminal): Command {
  return new Command('user').addCommand(eraseCommand(terminal));
}

function eraseCommand(terminal: Terminal): Command {
  return changeCommand('erase', [
    'user erase demo --user jane --stack CustomerDataApi-prod --dry-run',
    'user erase demo --user jane --stack CustomerDataApi-prod',
  ])
    .description('erase the promo events of a user that were received until now')
    .argument(...CLIENT_ID)
    .requiredOption('--user <userId>', 'the userId, as the app sends it', parserOf(StoredId))
    .action((clientId: string, { user: userId, ...options }: Options) => {
      const user = { clientId, userId };
      const who = `user ${userId} of client ${clientId}`;
      return runChange(terminal, options, userErasure(user), {
        counted: 'Items removed',
        shown: ({ found, spellings, otherForms }) => [
          `Promo events of ${who} in the table: ${found}`,
          ...(spellings.every((spelling) => spelling.userId === userId)
            ? []
            : spellings.map((spelling) => `Stored as ${spelling.userId}: ${spelling.found}`)),
          ...otherForms.map(({ userId: other, found: kept }) =>
            suggesting(
              `Another user, whose id only looks alike, keeps ${counted(kept, 'promo event')}: ${escapedId(other)} instead of ${escapedId(userId)}. To erase that user, too:`,
              'user',
              'erase',
              clientId,
              '--user',
              other,
            ),
          ),
        ],
        would: () => ['Dry run: nothing was changed.'],
        question: ({ found }) =>
          `${found === 0 ? 'Nothing of this user is stored. ' : ''}Erase what was received from ${who} until now, also what waits in the queues? This cannot be undone.`,
        done: () => [],
        // Removals are shown even if a call failed then.
        result: ({ removed, erasedAt, failure }) => [
          `Removed from the table: ${removed}`,
          ...(failure ? [] : [`Erased: what was received before ${erasedAt}.`]),
        ],
        json: ({ found, spellings, otherForms }, done) => ({
          ...user,
          ...(done && { erasedAt: done.erasedAt, removed: done.removed }),
          wasStored: wasStored(found, done),
          found,
          spellings,
          otherForms,
        }),
        next: (done, { found }) => [
          suggesting(
            'For up to 14 days, messages of the user may stay in the queues. They are neither stored nor published. To let the functions drop those in the dead-letter queues now:',
            'queue',
            'redrive',
          ),
          'Delete the user from files of old codes, too: in 45 days, promo import would bring them back.',
          'The erasure does not reach the user pool, backups, which are kept for 35 days, and devices that a rollout of the client names or has named, which its history keeps.',
          wasStored(found, done)
            ? 'Now tell the follow-on systems to erase the user.'
            : `Nothing was stored of ${who}: check the id and the client. If they are right, tell the follow-on systems to erase the user.`,
        ],
      });
    });
}

function wasStored(found: number, done: { readonly removed: number } | undefined): boolean {
  return found + (done?.removed ?? 0) > 0;
}

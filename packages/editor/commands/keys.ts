import { Command } from 'commander';
import {
  authorName,
  isSendableAppId,
  type StoredAppId,
  storedAppIds,
} from 'customer-data-api/clients';
import { shortened } from 'customer-data-api/configuration';
import {
  configurationTables,
  type Deployment,
  deploymentName,
  findDeployment,
} from 'customer-data-api-deployment';
import { type Change, type Done, runChange } from 'customer-data-api-deployment/change';
import {
  type ChangeOptions,
  CLIENT_ID,
  changeCommand,
  type ReadOptions,
  readCommand,
} from 'customer-data-api-deployment/commands';
import type { UnknownLogs } from 'customer-data-api-deployment/logs';
import { appsHaveItBy, utcTime } from 'customer-data-api-deployment/outputs';
import {
  noteTo,
  printable,
  printTo,
  readTextFile,
  suggesting,
  type Terminal,
  tableRows,
  UsageError,
  whileWaiting,
  wrapped,
} from 'customer-data-api-deployment/program';
import * as v from 'valibot';
import {
  type AddedAppId,
  appIdAddition,
  appIdRevocation,
  type ShownRevocation,
} from '../clients/app-ids.ts';
import { readExistingClient } from '../clients/configs-table.ts';
import type { LoggedUses } from '../clients/logged-uses.ts';
import { appIdNames, describeRevokedUse } from '../words.ts';
import { type AdditionOptions, additionCommand } from './app-id-options.ts';

/** `./customer-data keys`: the App-Ids of a client. */
export function keysCommand(terminal: Terminal): Command {
  return new Command('keys')
    .addCommand(listCommand(terminal))
    .addCommand(addCommand(terminal))
    .addCommand(revokeCommand(terminal));
}

/** Loaded when needed: most commands do not need its SDK client. */
const findingUses = () => import('../clients/logged-uses.ts');
const findingRevoked = () => import('../clients/revoked-uses.ts');

/** The label of the progress while uses are counted. */
const SEARCHING = 'Searching the logs for uses';

function listCommand(terminal: Terminal): Command {
  return readCommand('list', ['keys list demo --stack CustomerDataApi-prod'])
    .description('list the App-Ids of a client')
    .argument(...CLIENT_ID)
    .action(async (clientId: string, { json, ...options }: ReadOptions) => {
      const note = wrapped(noteTo(terminal), terminal.stderr);
      const print = printTo(terminal);
      const deployment = await findDeployment(options);
      using tables = configurationTables(deployment.outputs);
      const client = await readExistingClient(tables, clientId);
      const appIds = storedAppIds(client).toSorted((one, other) =>
        one.digest < other.digest ? -1 : 1,
      );
      const fingerprints = appIds.map(({ fingerprint }) => fingerprint);
      if (fingerprints.length === 0) {
        return note(`Client ${clientId} has no App-Ids: every request of its apps is refused.`);
      }
      const { findAppIdUses } = await findingUses();
      const { findRevokedUses } = await findingRevoked();
      const [found, refused] = await whileWaiting(terminal, SEARCHING, () =>
        Promise.all([
          findAppIdUses(deployment, clientId, fingerprints),
          findRevokedUses(deployment, tables, clientId),
        ]),
      );
      const uses = 'unknown' in found ? [] : found;
      if (!json) print(row('APP-ID', 'LABEL', 'ADDED', 'BY', 'LAST LOGGED', 'USES IN 24 H'));
      for (const [index, { fingerprint, isAppId, named }] of appIds.entries()) {
        print(
          json
            ? JSON.stringify({
                fingerprint,
                ...(!isAppId && { isAppId }),
                ...named,
                ...uses[index],
              })
            : rowOf(fingerprint, named, uses[index]),
        );
      }
      for (const one of 'unknown' in refused ? [] : refused) {
        if (json) print(JSON.stringify({ fingerprint: one.fingerprint, refused: one.requests }));
        else note(describeRevokedUse(one));
      }
      const [damaged] = appIds.filter(({ isAppId }) => !isAppId);
      if (damaged) {
        const others = appIds.filter(({ isAppId }) => !isAppId).map((one) => one.fingerprint);
        const text = `No app can send ${others.join(', ')}. To remove a value:`;
        note(suggesting(text, 'keys', 'revoke', clientId, damaged.fingerprint));
      }
      note(
        'unknown' in found
          ? `Uses are unknown: ${found.unknown}`
          : "Only an App-Id's first use in an hour is logged at once. Others are logged later, or not at all.",
      );
    });
}

/** The cells are cut to the widths of their columns. */
const [LABEL_CHARACTERS, BY_CHARACTERS] = [14, 12];
const row = tableRows(8, LABEL_CHARACTERS, 10, BY_CHARACTERS, 17);

function rowOf(
  fingerprint: string,
  { label = '-', at, by }: StoredAppId['named'],
  uses?: LoggedUses,
): string {
  return row(
    fingerprint,
    shortened(printable(label), LABEL_CHARACTERS - 1),
    at?.slice(0, 10) ?? '-',
    by === undefined ? '-' : shortened(printable(authorName(by)), BY_CHARACTERS - 1),
    uses ? (uses.lastLogged?.replace(/T(\d\d:\d\d).*/, ' $1Z') ?? '-') : 'unknown',
    uses?.uses.toLocaleString('en') ?? 'unknown',
  );
}

interface AddOptions extends AdditionOptions {
  readonly from?: string;
}

function addCommand(terminal: Terminal): Command {
  return additionCommand('add', [
    'keys add demo --label "iOS 4" --stack CustomerDataApi-prod',
    'keys add demo --local --json',
    'keys add demo --from app-id.txt --stack CustomerDataApi-prod',
  ])
    .description('create another App-Id for a client and print it once; the others stay valid')
    .argument(...CLIENT_ID)
    .option('--from <file>', 'restore a lost App-Id from this file; - reads standard input')
    .action((clientId: string, options: AddOptions) => addAppId(terminal, clientId, options));
}

async function addAppId(
  terminal: Terminal,
  clientId: string,
  { from, label, ...options }: AddOptions,
): Promise<void> {
  const existing = from === undefined ? undefined : await readAppId(from, terminal);
  const isNew = existing === undefined;
  await runChange(terminal, options, appIdAddition(clientId, { existing, label }), {
    shown: ({ hasEffect, fingerprint }) =>
      hasEffect ? [] : [`The client has App-Id ${fingerprint} already. Nothing was changed.`],
    would: ({ fingerprint }, deployment) => [
      `Would add ${isNew ? 'an App-Id' : `App-Id ${fingerprint}`} to client ${clientId} in ${deploymentName(deployment)}.`,
    ],
    done: ({ fingerprint }, deployment) => [
      `Added App-Id ${fingerprint} to client ${clientId} in ${deploymentName(deployment)}. Apps can use it by ${effectiveBy(deployment)}.`,
      ...(isNew ? ['The App-Id, which is not shown again:'] : []),
    ],
    ...(isNew && newAppId),
    json: ({ fingerprint }, done) =>
      isNew && done ? newAppId.json(done) : { clientId, ...(fingerprint && { fingerprint }) },
  });
}

/**
 * Shows the App-Id of a new client, or a new App-Id: once. If it cannot be printed, it is lost, and
 * valid.
 */
export const newAppId = {
  result: ({ appId }: AddedAppId) => [appId],
  lost: ({ clientId, fingerprint }: AddedAppId) => [
    suggesting('It could not be printed, so it is lost. Add another one:', 'keys', 'add', clientId),
    suggesting('Then revoke the lost one:', 'keys', 'revoke', clientId, fingerprint),
  ],
  json: ({ clientId, appId, fingerprint }: AddedAppId) => ({ clientId, appId, fingerprint }),
};

/** The output of `clients create` and `keys add` with `--json`. */
const PrintedAppId = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ appId: v.string() }),
  v.transform(({ appId }) => appId),
);

/**
 * Reads an App-Id that exists: not from the command line, which shells remember.
 *
 * @param file the file with it, or with what a command printed of it, or `-` for the standard
 *   input.
 * @throws UsageError if the file cannot be read or has no App-Id. The message does not quote the
 *   file.
 */
async function readAppId(file: string, { stdin }: Pick<Terminal, 'stdin'>): Promise<string> {
  const content = await readTextFile('The App-Id', file, stdin);
  const name = file === '-' ? 'The standard input' : file;
  // Also without a byte order mark.
  const text = content.trim();
  const printed = v.safeParse(PrintedAppId, text);
  const appId = printed.success ? printed.output : text;
  if (isSendableAppId(appId)) return appId;
  throw new UsageError(`${name} must contain one App-Id and nothing else.`);
}

/** The time from which every function knows a change that was just made. */
function effectiveBy({ outputs }: Deployment): string {
  return utcTime(appsHaveItBy(outputs, new Date().toISOString()));
}

function revokeCommand(terminal: Terminal): Command {
  return changeCommand('revoke', [
    'keys revoke demo 3f9a1c04 --stack CustomerDataApi-prod --dry-run',
    'keys revoke demo 3f9a1c04 --stack CustomerDataApi-prod',
  ])
    .description('revoke an App-Id: requests of apps that send it are refused')
    .argument(...CLIENT_ID)
    .argument(
      '<appId>',
      'the digits or the label that keys list shows, or the App-Id itself (your shell may store it)',
    )
    .action((clientId: string, text: string, options: ChangeOptions) => {
      const change = withUses(clientId, appIdRevocation(clientId, text));
      const named = ({ name }: ShownRevocation) => `App-Id ${name} of client ${clientId}`;
      return runChange(terminal, options, change, {
        awaited: { show: SEARCHING },
        shown: ({ uses, revoked, left }) => [
          describeUses(uses),
          ...revoked,
          `${appIdNames(left)} ${left.length === 1 ? 'stays' : 'stay'}.`,
        ],
        would: (shown, deployment) => [
          `Would revoke ${named(shown)} in ${deploymentName(deployment)}.`,
        ],
        question: (shown) => `Revoke ${named(shown)}? Apps that send it are refused.`,
        done: (_, deployment, shown) => [
          `Revoked ${named(shown)} in ${deploymentName(deployment)}. It is refused by ${effectiveBy(deployment)} at the latest.`,
        ],
        json: ({ fingerprint, left }, done) => ({
          clientId,
          fingerprint,
          isRevoked: done !== undefined,
          left: left.map((one) => one.fingerprint).toSorted(),
        }),
      });
    });
}

/** The uses of the App-Id, and sentences about others that were revoked before. */
interface ShownUses {
  readonly uses: readonly LoggedUses[] | UnknownLogs;
  readonly revoked: readonly string[];
}

/** Adds to what a revocation would do how often the App-Id was used. */
function withUses(
  clientId: string,
  { show, apply }: Change<ShownRevocation, Done>,
): Change<ShownRevocation & ShownUses, Done> {
  return {
    async show(context) {
      const { deployment, tables } = context;
      const shown = await show(context);
      const { findAppIdUses } = await findingUses();
      const { findRevokedUses } = await findingRevoked();
      const [uses, refused] = await Promise.all([
        findAppIdUses(deployment, clientId, [shown.fingerprint]),
        findRevokedUses(deployment, tables, clientId),
      ]);
      return {
        ...shown,
        uses,
        revoked: 'unknown' in refused ? [] : refused.map(describeRevokedUse),
      };
    },
    apply,
  };
}

/** Says in one sentence how often an App-Id was used in the last day, or why that is unknown. */
function describeUses(found: readonly LoggedUses[] | UnknownLogs): string {
  if ('unknown' in found) return `Uses of this App-Id are unknown: ${found.unknown}`;
  const [{ uses } = { uses: 0 }] = found;
  const period = 'in the last 24 hours';
  if (uses === 0) return `No use of this App-Id was logged ${period}.`;
  const times = uses === 1 ? 'once' : `${uses.toLocaleString('en')} times`;
  return `This App-Id was used at least ${times} ${period}.`;
}

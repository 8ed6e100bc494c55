import type { StateOfItem } from 'customer-data-api/clients';
import { counted, type Rollout } from 'customer-data-api/configuration';
import { effectText, isOfRollout } from 'customer-data-api/effects';
import { listVersions, type Version, type VersionsTable } from 'customer-data-api/history';
import {
  type ConfigurationTables,
  configurationTables,
  type Deployment,
} from 'customer-data-api-deployment';
import { printable, suggested } from 'customer-data-api-deployment/program';
import {
  describeRevokedUse,
  findClient,
  findDeletedClients,
  findRevokedUses,
  listStates,
} from 'customer-data-api-editor/clients';
import {
  findManualEdits,
  type ListedVersion,
  withNeighbours,
} from 'customer-data-api-editor/configurations';
import {
  type CheckResult,
  type ClientProblem,
  ending,
  firstNames,
  note,
  ok,
  problem,
} from './results.ts';

/** Finds clients that are locked out, lost their separation or have fields that apps do not get. */
export async function* checkClients(
  deployment: Deployment,
  progress: (done: number) => void,
): AsyncGenerator<CheckResult> {
  using tables = configurationTables(deployment.outputs);
  const found = new Set<string>();
  const rollouts: FoundRollout[] = [];
  /** The clients of each App-Id, by its digest. */
  const clientsOf = new Map<string, string[]>();
  let isOk = true;
  const problemOf = (clientId: string, found: ClientProblem): CheckResult => {
    isOk = false;
    const { text, code, facts = {}, ...more } = found;
    return { ...problem(`${printable(clientId)} ${text}`, code), ...more, facts, clientId };
  };
  for await (const client of listStates(tables, deployment)) {
    const { clientId, rollout } = client;
    for (const found of problemsOf(client, deployment)) yield problemOf(clientId, found);
    if (rollout) rollouts.push({ clientId, rollout });
    for (const { digest } of client.appIds.filter(({ isAppId }) => isAppId)) {
      clientsOf.set(digest, [...(clientsOf.get(digest) ?? []), clientId]);
    }
    progress(found.add(clientId).size);
  }
  for await (const version of findDeletedClients(tables, found)) {
    yield problemOf(version.clientId, describeDeletion(version));
  }
  for (const clientIds of withOneAppId([...clientsOf.values()])) {
    const command = suggested('keys', 'add', 'CLIENT');
    yield {
      ...note(describeShared(clientIds)),
      command,
      code: 'sharedAppId',
      facts: { clientIds },
    };
  }
  for (const edit of await findManualEdits(tables, [...found])) {
    const { clientId, version, older, at } = edit;
    const facts = { version, at, ...(older && { before: older.version }) };
    yield { status: 'note', ...describeEdit(edit), code: 'manualEdit', facts, clientId };
  }
  for await (const [clientId, found] of rolloutProblems(tables, rollouts)) {
    yield problemOf(clientId, found);
  }
  if (isOk) {
    yield ok(`The configurations and App-Ids of ${counted(found.size, 'client')} are valid.`);
  }
}

/** Finds revoked App-Ids that apps still send. Not every caller may search the logs. */
export async function* checkRevokedAppIds(deployment: Deployment): AsyncGenerator<CheckResult> {
  using tables = configurationTables(deployment.outputs);
  const found = await findRevokedUses(deployment, tables);
  if ('unknown' in found) {
    const status = found.isDenied ? 'note' : 'unchecked';
    return yield { status, message: `Not checked: ${found.unknown}` };
  }
  for (const use of found) {
    const { clientId, fingerprint, requests } = use;
    const text = `${printable(clientId)}: ${describeRevokedUse(use)} If it was revoked by mistake:`;
    const restore = ending(text, 'keys', 'add', clientId, '--from', 'FILE');
    const facts = { fingerprint, requests };
    yield { status: 'problem', ...restore, code: 'revokedInUse', facts, clientId };
  }
  if (found.length === 0) yield ok('No revoked App-Id was logged in the last 24 hours.');
}

/** Lists the clients that have an App-Id in common, each group once. */
function withOneAppId(clientsOfAppIds: readonly (readonly string[])[]): (readonly string[])[] {
  const shared = clientsOfAppIds.filter(({ length }) => length > 1);
  return [...new Map(shared.map((clientIds) => [JSON.stringify(clientIds), clientIds])).values()];
}

/** One app may call for two clients. A copied item has the App-Id of another app. */
function describeShared(clientIds: readonly string[]): string {
  const names = firstNames(clientIds.map(printable), 'other client');
  return `These clients have an App-Id in common: ${names}. If the item of one was copied, give it its own App-Id, and revoke the other:`;
}

function describeEdit(edit: ListedVersion): Pick<CheckResult, 'message' | 'command'> {
  const { clientId, version, at, digest, highestId, older } = edit;
  // The history has what a comparison lacks: changes of a rollout, and what was undone.
  const command =
    older && (older.digest !== digest || older.highestId !== highestId)
      ? suggested('config', 'diff', `${clientId}@${older.version}`, `${clientId}@${version}`)
      : suggested('config', 'history', clientId);
  const message = `${printable(clientId)} was edited manually at ${at}, and nothing has been published since. To see the change:`;
  return { message, command };
}

function describeDeletion({ clientId, at, isDeleted }: Version): ClientProblem {
  const when = isDeleted ? `was deleted manually at ${at}` : 'has a history and no item any more';
  const text = `${when}: every request of its apps is refused. If that is not intended, create it again and roll back:`;
  return { text, command: suggested('clients', 'create', clientId), code: 'deletedClient' };
}

function problemsOf(
  client: StateOfItem,
  { appClients: known }: Pick<Deployment, 'appClients'>,
): ClientProblem[] {
  const { clientId, access, findings } = client;
  const { userPoolClientIds } = access;
  // The only one of the deployment, or a placeholder for some of several.
  const appClients = known.length === 1 ? known : ['APP_CLIENT'];
  const setAppClients = suggested('clients', 'set-app-clients', clientId, ...appClients);
  const foreign = userPoolClientIds?.filter((id) => !known.includes(id)) ?? [];
  const isLockedOut = foreign.length > 0 && client.appClients.length === 0;
  const errors = findings.filter(({ severity }) => severity === 'error');
  const lockouts = errors.filter(({ code }) => code === 'lockedOut');
  const edited = errors.filter(({ code }) => code === 'editedRule');
  const others = errors.length - lockouts.length - edited.length;
  const problems: ClientProblem[] = [];
  for (const { path, message } of lockouts) {
    const attribute = String(path[0]);
    if (isLockedOut && attribute === 'userPoolClientIds') continue;
    const repair =
      attribute === 'appIds'
        ? 'Restore its App-Ids with keys add --from, and remove other values with keys revoke. To see what is stored:'
        : 'To set them:';
    const command = attribute === 'appIds' ? suggested('keys', 'list', clientId) : setAppClients;
    const text = `is locked out: ${attribute} ${message}. ${repair}`;
    problems.push({ text, command, code: 'lockedOut', facts: { attribute } });
  }
  if (userPoolClientIds === undefined) {
    const text =
      'has no userPoolClientIds, so it accepts tokens of the apps of all clients. To set them:';
    problems.push({ text, command: setAppClients, code: 'acceptsAllAppClients' });
  }
  if (foreign.length > 0) {
    const names = firstNames(foreign, 'other app client');
    const text = `${isLockedOut ? 'is locked out' : 'names unknown app clients'}: the deployment has no app client ${names}. To correct userPoolClientIds:`;
    problems.push({
      text,
      command: setAppClients,
      code: 'foreignAppClients',
      facts: { names, isLockedOut },
    });
  }
  for (const { path, message } of edited) {
    const attribute = String(path[0]);
    const isSettled = attribute !== 'userPoolClientIds';
    const text = `has a rule that nobody has decided: ${attribute} ${message}.${isSettled ? '' : ' To set them:'}`;
    problems.push({
      text,
      ...(!isSettled && { command: setAppClients }),
      code: 'editedRule',
      facts: { attribute, message },
    });
  }
  if (others > 0) {
    const text = `has ${counted(others, 'error')}. To see them:`;
    const command = suggested('clients', 'show', clientId);
    problems.push({ text, command, code: 'configurationErrors', facts: { errors: others } });
  }
  return problems;
}

/** Versions per query. The history of most clients is short. */
const PAGE_SIZE = 25;

/** The rollout in the item of a client. */
interface FoundRollout {
  readonly clientId: string;
  readonly rollout: Rollout;
}

/** Finds rollouts that run although they have ended, as after a restore of their table. */
async function* rolloutProblems(
  tables: ConfigurationTables,
  rollouts: readonly FoundRollout[],
): AsyncGenerator<[clientId: string, found: ClientProblem]> {
  for (const {
    clientId,
    rollout: { id },
  } of rollouts) {
    const command = suggested('rollout', 'stop', clientId, '-m', 'REASON');
    const end = await endOf(tables, clientId, id);
    if (end && (await stillRuns(tables, clientId, id))) {
      const { at, version, effects } = end;
      const ended = effects.filter(isOfRollout).map((one) => effectText(one));
      const text = `runs a rollout again, as after a restore of the table. Version ${version}, at ${at}: ${ended} To discard its candidate:`;
      yield [clientId, { text, command, code: 'rolloutRunsAgain', facts: { at, version } }];
    }
  }
}

/** Finds the version that ended a rollout; undefined if none did. Its id is never given again. */
async function endOf(
  versions: VersionsTable,
  clientId: string,
  id: string,
): Promise<ListedVersion | undefined> {
  for await (const version of withNeighbours(listVersions(versions, clientId, PAGE_SIZE))) {
    if (version.older?.rollout?.id === id && version.rollout?.id !== id) return version;
  }
  return undefined;
}

/** It may have ended since its item was listed. */
async function stillRuns(
  tables: ConfigurationTables,
  clientId: string,
  id: string,
): Promise<boolean> {
  return (await findClient(tables, clientId))?.rollout?.id === id;
}

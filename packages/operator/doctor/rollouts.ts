import type { Rollout } from 'customer-data-api/configuration';
import { listVersions, type VersionsTable } from 'customer-data-api/history';
import type { Deployment } from 'customer-data-api-deployment';
import { suggested } from 'customer-data-api-deployment/program';
import { type ListedVersion, withNeighbours } from '../configurations/history.ts';
import { whyNotStopped } from '../configurations/rollout-alarm.ts';
import { rolloutIn } from '../configurations/rollouts.ts';
import { type ConfigurationTables, findStored } from '../configurations/stored-configuration.ts';
import type { ClientProblem } from './results.ts';

/** Versions per query. The history of most clients is short. */
const PAGE_SIZE = 25;

/** The rollout in the item of a client. */
export interface FoundRollout {
  readonly clientId: string;
  readonly rollout: Rollout;
  /** The attribute by which the function that stops rollouts finds it. */
  readonly rolloutAlarm: unknown;
}

/**
 * Finds rollouts that run although they have ended, as after a restore of their table, and those
 * that their alarm does not stop any more; each with its client.
 */
export async function* rolloutProblems(
  deployment: Deployment,
  tables: ConfigurationTables,
  rollouts: readonly FoundRollout[],
): AsyncGenerator<[clientId: string, problem: ClientProblem]> {
  for (const { clientId, rollout, rolloutAlarm } of rollouts) {
    const { id, alarm } = rollout;
    const stop = suggested('rollout', 'stop', clientId, '-m', 'REASON');
    const end = await endOf(tables, clientId, id);
    if (end && (await stillRuns(tables, clientId, id))) {
      const { at, version, rolloutChange } = end;
      const ended = typeof rolloutChange === 'string' ? ENDED[rolloutChange] : ENDED.ended;
      const text = `runs a rollout again that ${ended} at ${at}, as after a restore of the table. To discard its candidate: ${stop}`;
      yield [clientId, { text, code: 'rolloutRunsAgain', facts: { at, version } }];
    }
    const why =
      alarm === undefined ? undefined : await whyNotStopped(deployment, alarm, rolloutAlarm);
    if (why !== undefined) {
      const text = `runs a rollout that no alarm stops any more. ${why} To discard its candidate: ${stop}`;
      yield [clientId, { text, code: 'rolloutNotStopped', facts: { why } }];
    }
  }
}

const ENDED = { stopped: 'was stopped', finished: 'was finished', ended: 'ended' } as const;

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
  return rolloutIn((await findStored(tables, clientId))?.rollout)?.id === id;
}

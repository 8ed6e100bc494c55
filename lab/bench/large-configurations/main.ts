import type { DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { RawItem } from '../../../core/client-attributes.ts';
import { readAccess } from '../../../core/clients/client-access.ts';
import { readClient } from '../../../core/clients/read-client.ts';
import { readConfiguration } from '../../../core/configuration/read-configuration.ts';
import { recordChange } from '../../../core/history/record-change.ts';
import { summarizeClient } from '../../../packages/operator/clients/clients.ts';
import { findingsIn } from '../../../packages/operator/configurations/check.ts';
import {
  parseConfigurationFile,
  writeConfiguration,
} from '../../../packages/operator/configurations/configuration-file.ts';
import { diffConfigurations } from '../../../packages/operator/configurations/diff-configurations.ts';
import type { Plan } from '../../../packages/operator/configurations/plan-change.ts';
import { reviewChange } from '../../../packages/operator/configurations/review-change.ts';
import {
  configurationOf,
  fileOf,
} from '../../../packages/operator/configurations/stored-configuration.ts';
import { worstItems } from '../../../test/support/worst-items.ts';

/*
 * Measures how long the worst items that DynamoDB stores keep the functions and the commands busy:
 * getConfig reads one, the recorder records its change to another one, `clients list` checks it,
 * `config check` checks its file, and `config publish` reviews the change. In seconds of CPU time
 * of the thread that people wait for: garbage is collected beside it, on a second core. Each is the
 * shorter of two runs.
 */

type Item = RawItem;

const TASKS: Readonly<Record<string, (before: Item, after: Item) => unknown>> = {
  getConfig: (before) => {
    const client = readClient(before);
    readAccess(client, 'worst', false);
    return JSON.stringify(readConfiguration(client.item));
  },
  recorder: (before, after) => {
    const versions: unknown[] = [];
    const send = async ({ input }: PutItemCommand | QueryCommand) =>
      'Item' in input ? void versions.push(input.Item) : { Items: versions.slice(-1) };
    return recordChange(
      { versionsTableName: 'ConfigVersions', dynamodb: { send } as unknown as DynamoDBClient },
      {
        clientId: 'worst',
        eventId: 'event',
        at: '2026-11-25T09:00:00Z',
        before,
        after,
        position: { stream: 'stream', sequenceNumber: '1' },
      },
      { requiresUserPoolClientIds: false },
    );
  },
  'clients list': (before) => summarizeClient(readClient(before), false),
  'config show': (before) => fileOf(configurationOf(readClient(before))),
  'config check': (before) =>
    findingsIn(
      parseConfigurationFile(writeConfiguration(fileOf(configurationOf(readClient(before))))),
    ),
  review: (before, after) => {
    const [old, fresh] = [configurationOf(readClient(before)), configurationOf(readClient(after))];
    reviewChange({ step: { kind: 'publish' }, before: old, after: fresh as Plan['after'] });
    return diffConfigurations(
      { name: 'old', content: fileOf(old) },
      { name: 'new', content: fileOf(fresh) },
    );
  },
};

process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
const names = Object.keys(TASKS);
const row = (cells: readonly string[]) =>
  process.stdout.write(`${cells.map((cell, at) => cell.padEnd(at === 0 ? 44 : 14)).join('')}\n`);
row(['item', ...names]);
const others = worstItems('~');
for (const [name, item] of Object.entries(worstItems())) {
  const [before, after] = [marshall(item()), marshall(others[name]?.() ?? {})];
  const cells: string[] = [];
  for (const task of Object.values(TASKS)) {
    const seconds: number[] = [];
    for (let run = 0; run < 2; run++) {
      const start = process.threadCpuUsage();
      await task(before, after);
      const { user, system } = process.threadCpuUsage(start);
      seconds.push((user + system) / 1_000_000);
    }
    cells.push(Math.min(...seconds).toFixed(2));
  }
  row([name, ...cells]);
}

import type { DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readAccess, readClient } from 'customer-data-api/clients';
import { readConfiguration } from 'customer-data-api/configuration';
import { recordChange } from 'customer-data-api/history';
import { IS_WHOLE } from 'customer-data-api/testing/runs';
import { worstItems } from 'customer-data-api/testing/worst-items';
import { expect, test } from 'vitest';
import { summarizeClient } from '../../clients/clients.ts';
import { findingsIn } from '../../configurations/check.ts';
import {
  parseConfigurationFile,
  writeConfiguration,
} from '../../configurations/configuration-file.ts';
import { configurationOf, fileOf } from '../../configurations/stored-configuration.ts';

/*
 * The recorder is ended after 20 seconds, and then tries the same change for twelve hours. Work
 * that grows with the square of an item takes longer than the limit of all tests, on any machine.
 * The bench measures how long the worst items take.
 */

const [ITEMS, OTHERS] = [worstItems(), worstItems('~')];

/** The items that take longest: `npm test` leaves them to `npm run test:search`. */
const LONGEST = [
  'options with only a misspelled attribute',
  'equal values without texts',
  'unknown attributes of a field',
];

test.each([
  ...(IS_WHOLE ? LONGEST : []),
  'translated options',
  'App-Ids',
  'texts that were encoded again and again',
  'a text with comments',
  'a text of backslashes',
  'a text with marks of direction',
  'a text that was read in a wrong encoding',
])('%s do not hold up the changes of other clients', async (name) => {
  const [before = {}, after = {}] = [ITEMS, OTHERS].map((items, lastFieldId) =>
    marshall({ clientId: 'worst', ...items[name]?.(), lastFieldId }),
  );
  const client = readClient(before);
  readAccess(client, 'worst', false);
  readConfiguration(client.item);
  summarizeClient(client, false);
  const file = fileOf(configurationOf(client));
  findingsIn(parseConfigurationFile(writeConfiguration(file)));

  const versions: PutItemCommand['input']['Item'][] = [];
  const send = async ({ input }: PutItemCommand | QueryCommand) =>
    'Item' in input ? void versions.push(input.Item) : { Items: versions.slice(-1) };
  const recorded = await recordChange(
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
  expect(recorded?.version.version).toBe(2);
});

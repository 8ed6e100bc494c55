import type { DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { admission, readClient } from 'customer-data-api/clients';
import { readConfiguration } from 'customer-data-api/configuration';
import { recordChange } from 'customer-data-api/history';
import { RULES } from 'customer-data-api/testing/access-rules';
import { countSteps } from 'customer-data-api/testing/count-steps';
import { IS_WHOLE } from 'customer-data-api/testing/runs';
import { worstItems } from 'customer-data-api/testing/worst-items';
import { expect, test } from 'vitest';
import { stateForOperators } from '../../clients/state-for-operators.ts';
import { findingsIn } from '../../configurations/check.ts';
import {
  parseConfigurationFile,
  writeConfiguration,
} from '../../configurations/configuration-file.ts';
import type { Plan } from '../../configurations/plan-draft.ts';
import { reviewPlan } from '../../configurations/review-plan.ts';
import { fileOf } from '../../configurations/stored-configuration.ts';

/*
 * The recorder is ended after 20 seconds, and then tries the same change for twelve hours. Work
 * that grows with the square of an item takes longer than the limit of all tests, on any machine.
 * They only measure: `npm test` leaves them to `npm run test:search`.
 */

/** The stored images of an item before and after a change. */
function changeOf(name: string, size?: number) {
  const [before = {}, after = {}] = ['', '~'].map((variant, lastFieldId) =>
    marshall({ clientId: 'worst', ...worstItems(variant, size)[name]?.(), lastFieldId }),
  );
  return { before, after };
}

type Change = ReturnType<typeof changeOf>;

function record(change: Change) {
  const versions: PutItemCommand['input']['Item'][] = [];
  const send = async ({ input }: PutItemCommand | QueryCommand) =>
    'Item' in input ? void versions.push(input.Item) : { Items: versions.slice(-1) };
  return recordChange(
    { versionsTableName: 'ConfigVersions', dynamodb: { send } as unknown as DynamoDBClient },
    {
      clientId: 'worst',
      eventId: 'event',
      at: '2026-11-25T09:00:00Z',
      ...change,
      position: { stream: 'stream', sequenceNumber: '1' },
    },
    { rules: RULES },
  );
}

function review({ before, after }: Change) {
  const [old, fresh] = [before, after].map((image) => readClient(image));
  return reviewPlan({ step: { kind: 'publish' }, before: old, after: fresh?.live } as Plan);
}

test.runIf(IS_WHOLE).each(Object.keys(worstItems()))(
  'twice as many %s take twice as many steps',
  async (name) => {
    for (const task of [record, review]) {
      const steps: number[] = [];
      for (const size of [16_000, 32_000]) {
        const change = changeOf(name, size);
        steps.push(await countSteps(() => task(change)));
      }
      const [small = 0, large = 0] = steps;
      expect(large / small, task.name).toBeLessThan(2.3);
    }
  },
);

test
  .runIf(IS_WHOLE)
  .each([
    'options with only a misspelled attribute',
    'equal values without texts',
    'unknown attributes of a field',
    'translated options',
    'App-Ids',
    'texts that were encoded again and again',
    'a text with tags',
    'a text that nobody sees',
  ])('%s do not hold up the changes of other clients', async (name) => {
  const change = changeOf(name);
  const client = readClient(change.before);
  admission('worst', client.lists, RULES);
  readConfiguration(client.live.attributes);
  stateForOperators(client, RULES);
  const file = fileOf('worst', client.live);
  findingsIn(parseConfigurationFile(writeConfiguration(file)));
  const recorded = await record(change);
  expect(recorded?.version.version).toBe(2);
});

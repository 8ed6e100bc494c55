import assert from 'node:assert/strict';
import { DynamoDB, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { readOutputs } from '../../cli/outputs.ts';
import { Cleanup } from '../../cli/smoke/cleanup.ts';
import { createClient } from '../../cli/smoke/client.ts';
import {
  application,
  apply,
  callGetConfig,
  expectFields,
  expectSuccess,
  type Subject,
} from '../../cli/smoke/requests.ts';
import { createUser } from '../../cli/smoke/user.ts';
import type { Deployment } from './deployment.ts';

/**
 * Restores the tables Configs and PromoEvents under new names and points the stack at them, with the calls of
 * docs/deploy.md. Checks that a client and an applied promo code are there, and that new promo events go to the restored
 * table.
 *
 * @param change deploys the stack with more settings.
 * @throws AssertionError
 */
export async function expectRestored(
  { stackName, outputs, outputsFile, url, print }: Deployment,
  change: (settings: Readonly<Record<string, unknown>>) => Promise<void>,
): Promise<void> {
  const dynamodb = new DynamoDB({});
  const restored = {
    configs: `${stackName}-configs-restored`,
    promoEvents: `${stackName}-promo-events-restored`,
  };
  await using cleanup = new Cleanup(print);
  const user = await createUser(outputs, outputsFile, cleanup);
  // Goes with its tables: the deployment deletes the old ones, and this function the restored ones.
  const client = await createClient(outputs, new Cleanup(print));
  const subject: Subject = { url, user, client, isUserBound: true };
  const request = application(subject);
  const before = await apply(subject, request);
  expectSuccess(before);

  for (const [source, target] of [
    [outputs.ConfigsTableName, restored.configs],
    [outputs.PromoEventsTableName, restored.promoEvents],
  ] as const) {
    cleanup.willRemove(`the table ${target}`, async () => {
      await dynamodb.updateTable({ TableName: target, DeletionProtectionEnabled: false });
      await dynamodb.deleteTable({ TableName: target });
    });
    await dynamodb.restoreTableToPointInTime({
      SourceTableName: source,
      TargetTableName: target,
      UseLatestRestorableTime: true,
    });
    await expectActive(dynamodb, target);
  }
  for (const [TableName, StreamViewType] of [
    [restored.configs, 'NEW_AND_OLD_IMAGES'],
    [restored.promoEvents, 'NEW_IMAGE'],
  ] as const) {
    await dynamodb.updateTable({
      TableName,
      StreamSpecification: { StreamEnabled: true, StreamViewType },
    });
    await expectActive(dynamodb, TableName);
  }
  await dynamodb.updateTimeToLive({
    TableName: restored.promoEvents,
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'expiresAt' },
  });
  for (const TableName of Object.values(restored)) {
    await dynamodb.updateContinuousBackups({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
    await dynamodb.updateTable({ TableName, DeletionProtectionEnabled: true });
    await expectActive(dynamodb, TableName);
  }
  const withStream = async (name: string) => {
    const { Table } = await dynamodb.describeTable({ TableName: name });
    return { name, streamArn: Table?.LatestStreamArn };
  };
  await change({
    configsTable: await withStream(restored.configs),
    promoEventsTable: await withStream(restored.promoEvents),
  });

  const { ConfigsTableName, PromoEventsTableName } = await readOutputs(outputsFile);
  assert.deepEqual([ConfigsTableName, PromoEventsTableName], Object.values(restored));
  expectFields(await callGetConfig(subject));
  assert.deepEqual((await apply(subject, request)).body, before.body, 'the code was applied again');
  const later = application(subject);
  expectSuccess(await apply(subject, later));
  const { Items = [] } = await dynamodb.query({
    TableName: restored.promoEvents,
    KeyConditionExpression: 'clientId = :clientId',
    ExpressionAttributeValues: { ':clientId': { S: client.clientId } },
    ConsistentRead: true,
  });
  assert.deepEqual(
    Items.map(({ promoCode }) => promoCode?.S).sort(),
    [request.body.promoCode, later.body.promoCode].sort(),
    'the restored table does not have the old and the new promo event',
  );
}

async function expectActive(dynamodb: DynamoDB, TableName: string): Promise<void> {
  await waitUntilTableExists(
    { client: dynamodb, maxWaitTime: 60, minDelay: 1, maxDelay: 1 },
    { TableName },
  );
}

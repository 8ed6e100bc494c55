import assert from 'node:assert/strict';
import { DynamoDB, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { Cleanup } from '../../cli/commands/smoke/cleanup.ts';
import {
  application,
  apply,
  callGetConfig,
  expectFields,
  expectSuccess,
} from '../../cli/commands/smoke/requests.ts';
import type { Outputs } from '../../cli/deployment/outputs.ts';
import { type Deployment, newSubject } from './deployment.ts';

/**
 * Restores the tables Configs and PromoEvents under new names and points the stack at them, with
 * the calls of docs/deploy.md. Checks that a client and an applied promo code are there, and that
 * new promo events go to the restored table.
 *
 * @param change deploys the stack with more settings.
 * @throws AssertionError
 */
export async function expectRestored(
  deployment: Deployment,
  change: (settings: object) => Promise<Outputs>,
): Promise<void> {
  const { outputs, print } = deployment;
  const client = new DynamoDB({});
  await using cleanup = new Cleanup(print);
  // The client goes with its tables: the deployment deletes the old ones, and this function the
  // restored ones.
  const subject = await newSubject(deployment, cleanup, new Cleanup(print));
  const request = application(subject);
  const before = await apply(subject, request);
  expectSuccess(before);

  const restore = async (
    SourceTableName: string,
    StreamViewType: 'NEW_AND_OLD_IMAGES' | 'NEW_IMAGE',
  ) => {
    const TableName = `${SourceTableName}-restored`;
    const update = async (changed: object) => {
      await client.updateTable({ TableName, ...changed });
      await isActive();
    };
    const isActive = () =>
      waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 }, { TableName });
    cleanup.willRemove(`the table ${TableName}`, async () => {
      await client.updateTable({ TableName, DeletionProtectionEnabled: false });
      await client.deleteTable({ TableName });
    });
    await client.restoreTableToPointInTime({
      ...{ SourceTableName, TargetTableName: TableName, UseLatestRestorableTime: true },
    });
    await isActive();
    await update({ StreamSpecification: { StreamEnabled: true, StreamViewType } });
    if (StreamViewType === 'NEW_IMAGE') {
      const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expiresAt' };
      await client.updateTimeToLive({ TableName, TimeToLiveSpecification });
    }
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    await client.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification });
    await update({ DeletionProtectionEnabled: true });
    const { Table } = await client.describeTable({ TableName });
    return { name: TableName, streamArn: Table?.LatestStreamArn };
  };
  const configsTable = await restore(outputs.ConfigsTableName, 'NEW_AND_OLD_IMAGES');
  const promoEventsTable = await restore(outputs.PromoEventsTableName, 'NEW_IMAGE');
  const after = await change({ configsTable, promoEventsTable });

  assert.equal(after.ConfigsTableName, configsTable.name);
  assert.equal(after.PromoEventsTableName, promoEventsTable.name);
  expectFields(await callGetConfig(subject));
  assert.deepEqual((await apply(subject, request)).body, before.body, 'the code was applied again');
  const later = application(subject);
  expectSuccess(await apply(subject, later));
  const { Items = [] } = await client.query({
    TableName: promoEventsTable.name,
    KeyConditionExpression: 'clientId = :clientId',
    ExpressionAttributeValues: { ':clientId': { S: subject.client.clientId } },
    ConsistentRead: true,
  });
  assert.deepEqual(
    Items.map(({ promoCode }) => promoCode?.S).sort(),
    [request.body.promoCode, later.body.promoCode].sort(),
    'the restored table does not have the old and the new promo event',
  );
}

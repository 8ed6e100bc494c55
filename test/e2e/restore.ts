import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { DynamoDB, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { Cleanup } from '../../cli/commands/smoke/cleanup.ts';
import {
  type Application,
  application,
  apply,
  call,
  expectFields,
  expectSuccess,
  type Subject,
} from '../../cli/commands/smoke/requests.ts';
import type { Outputs } from '../../cli/deployment/outputs.ts';
import { getConfig } from '../../functions/get-config/operation.ts';
import { command, type Deployment, newSubject, until } from './deployment.ts';

/**
 * On AWS, the latest restore point is about five minutes old, a policy takes effect later, and the
 * queue tries again after two minutes.
 */
const PATIENCE_ON_AWS_MS = 15 * 60 * 1000;

/** Denies everybody writes to the PromoEvents table, as docs/deploy.md does. */
export async function freezeTable({ outputs, print }: Deployment): Promise<void> {
  const client = new DynamoDB({});
  const { Table } = await client.describeTable({ TableName: outputs.PromoEventsTableName });
  const Action = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];
  const Statement = {
    ...{ Effect: 'Deny', Principal: '*', Resource: Table?.TableArn },
    Action: Action.map((name) => `dynamodb:${name}`),
  };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
  await client.putResourcePolicy({ ResourceArn: Table?.TableArn, Policy });
  print(`${outputs.PromoEventsTableName} is frozen`);
}

/**
 * Restores the tables Configs and PromoEvents under new names and points the stack at them, with
 * the calls of docs/deploy.md. Checks that the restored table has each promo code once: of before
 * the restore, of after it, of while the old table refuses writes, and of after the deployment; and
 * nothing of a user who was erased after the restore.
 *
 * @param freeze lets the old table refuse writes. It may take effect later.
 *
 * @param change deploys the stack with more settings.
 * @throws AssertionError
 */
export async function expectRestored(
  deployment: Deployment,
  change: (settings: object) => Promise<Outputs>,
  freeze: (cleanup: Cleanup) => Promise<void>,
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
  const erased = await newSubject(deployment, cleanup, new Cleanup(print));
  expectSuccess(await apply(erased, application(erased)));
  // Points in time are whole seconds.
  await setTimeout(2000);
  const since = new Date().toISOString();

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
      waitUntilTableExists({ client, maxWaitTime: 7200, minDelay: 1, maxDelay: 20 }, { TableName });
    cleanup.willRemove(`the table ${TableName}`, async () => {
      await client.updateTable({ TableName, DeletionProtectionEnabled: false });
      await client.deleteTable({ TableName });
    });
    await until(
      'a restore point',
      async () => {
        const { ContinuousBackupsDescription } = await client.describeContinuousBackups({
          TableName: SourceTableName,
        });
        const { PointInTimeRecoveryStatus, LatestRestorableDateTime } =
          ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
        // MiniStack restores a table without it.
        if (PointInTimeRecoveryStatus === 'DISABLED') return true;
        return LatestRestorableDateTime && LatestRestorableDateTime.toISOString() >= since;
      },
      PATIENCE_ON_AWS_MS,
    );
    await client.restoreTableToPointInTime({
      ...{ SourceTableName, TargetTableName: TableName, RestoreDateTime: new Date(since) },
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
  const copied = application(subject);
  expectSuccess(await apply(subject, copied));
  const names = [erased.client.clientId, '--user', erased.user.userId];
  await command(deployment, 'user', 'erase', ...names, '--yes');
  await freeze(cleanup);
  const later: Application[] = [];
  await until(
    'a refusal of writes',
    async () => {
      const request = application(subject);
      later.push(request);
      const answer = await apply(subject, request);
      expectSuccess(answer);
      return answer.body.notices.length === 1;
    },
    PATIENCE_ON_AWS_MS,
  );
  await command(deployment, 'promo', 'copy', promoEventsTable.name, '--since', since, '--yes');
  const after = await change({ configsTable, promoEventsTable });

  assert.equal(after.ConfigsTableName, configsTable.name);
  assert.equal(after.PromoEventsTableName, promoEventsTable.name);
  expectFields(await call(subject, getConfig));
  assert.deepEqual((await apply(subject, request)).body, before.body, 'the code was applied again');
  const last = application(subject);
  expectSuccess(await apply(subject, last));
  const codesOf = async ({ client: { clientId } }: Subject) => {
    const { Items = [] } = await client.query({
      TableName: promoEventsTable.name,
      KeyConditionExpression: 'clientId = :clientId',
      ExpressionAttributeValues: { ':clientId': { S: clientId } },
      ConsistentRead: true,
    });
    return Items.map(({ promoCode }) => promoCode?.S).sort();
  };
  const codes = [request, copied, ...later, last].map(({ body }) => body.promoCode).sort();
  await until(
    'the queued promo codes',
    async () => (await codesOf(subject)).length >= codes.length,
    PATIENCE_ON_AWS_MS,
  );
  assert.deepEqual(await codesOf(subject), codes, 'the restored table has other promo codes');
  assert.deepEqual(await codesOf(erased), [], 'the erased user is back');
}

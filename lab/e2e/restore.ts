import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import {
  DynamoDB,
  ResourceNotFoundException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { SQS } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { getConfig } from '../../functions/get-config/operation.ts';
import { awsClient } from '../../packages/deployment/aws-clients.ts';
import type { Outputs } from '../../packages/deployment/outputs.ts';
import { SqsQueue } from '../../packages/on-call/promo-events/sqs-queue.ts';
import { call } from '../../packages/on-call/smoke/checks.ts';
import { Cleanup, type Subject } from '../../packages/on-call/smoke/subject.ts';
import { itemsIn } from '../../test/support/items-in.ts';
import { command, type Deployment, newSubject, until } from './deployment.ts';
import { attemptSoon } from './queue.ts';
import { type Application, application, apply, promoEventsOf } from './requests.ts';

/**
 * On AWS, the latest restore point is about five minutes old, a policy takes effect later, and the
 * queue tries again after two minutes.
 */
const PATIENCE_ON_AWS_MS = 15 * 60 * 1000;

/**
 * Denies everybody writes to the PromoEvents table, as docs/deploy.md does.
 *
 * @param frozen permits them again when it is disposed of.
 */
export async function freezeTable({ outputs, print }: Deployment, frozen: Cleanup): Promise<void> {
  const client = awsClient('dynamodb', DynamoDB, {});
  const { Table } = await client.describeTable({ TableName: outputs.PromoEventsTableName });
  const Action = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];
  const Statement = {
    Effect: 'Deny',
    Principal: '*',
    Resource: Table?.TableArn,
    Action: Action.map((name) => `dynamodb:${name}`),
  };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
  const ResourceArn = Table?.TableArn;
  frozen.willRemove(`the policy of ${outputs.PromoEventsTableName}`, async () => {
    await client.deleteResourcePolicy({ ResourceArn }).catch((error) => {
      // The deployment that no longer uses the table has deleted it.
      if (!(error instanceof ResourceNotFoundException)) throw error;
    });
  });
  await client.putResourcePolicy({ ResourceArn, Policy });
  print(`${outputs.PromoEventsTableName} is frozen`);
}

/**
 * Restores the tables Configs, PromoEvents and Erasures under new names and points the stack at
 * them, with the calls of docs/deploy.md. Checks that the restored table has each promo code once:
 * of before the restore point, queued before it and stored after it, of after it, of while the old
 * table refuses writes, and of after the deployment. Of a user who was erased after the point, it
 * has only the code that the user applied again, and nothing once the user is erased again, whose
 * marker the restored Erasures lacks.
 *
 * @param freeze lets the old table refuse writes, until the cleanup. It may take effect later.
 * @param change deploys the stack with more settings.
 * @throws AssertionError
 */
export async function expectRestored(
  deployment: Deployment,
  change: (settings: object) => Promise<Outputs>,
  freeze: (cleanup: Cleanup) => Promise<void>,
): Promise<void> {
  const { outputs, print } = deployment;
  const client = awsClient('dynamodb', DynamoDB, {});
  await using cleanup = new Cleanup(print);
  await attemptSoon(outputs, cleanup);
  // The client goes with its tables: the deployment deletes the old ones, and this function the
  // restored ones.
  const subject = await newSubject(deployment, cleanup, new Cleanup(print));
  const request = application(subject);
  const before = await apply(subject, request);
  const erased = await newSubject(deployment, cleanup, new Cleanup(print));
  const forgotten = application(erased);
  await apply(erased, forgotten);
  /** Applies codes until the table refuses one, which is queued. Returns their requests. */
  const applyUntilQueued = async (): Promise<Application[]> => {
    const sent: Application[] = [];
    await until(
      'a refusal of writes',
      async () => {
        const one = application(subject);
        sent.push(one);
        return (await apply(subject, one)).notices.length === 1;
      },
      PATIENCE_ON_AWS_MS,
    );
    return sent;
  };
  const thawing = new Cleanup(print);
  cleanup.use(thawing);
  await freeze(thawing);
  const queued = await applyUntilQueued();
  // Points in time are whole seconds.
  await setTimeout(2000);
  const since = new Date().toISOString();

  const restore = async (
    SourceTableName: string,
    StreamViewType?: 'NEW_AND_OLD_IMAGES' | 'NEW_IMAGE',
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
      SourceTableName,
      TargetTableName: TableName,
      RestoreDateTime: new Date(since),
    });
    await isActive();
    if (StreamViewType) {
      await update({ StreamSpecification: { StreamEnabled: true, StreamViewType } });
    }
    if (StreamViewType !== 'NEW_AND_OLD_IMAGES') {
      const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expiresAt' };
      await client.updateTimeToLive({ TableName, TimeToLiveSpecification });
    }
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    await client.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification });
    await update({ DeletionProtectionEnabled: true });
    const { Table } = await client.describeTable({ TableName });
    return { name: TableName, streamArn: Table?.LatestStreamArn };
  };
  const promoEventsTable = await restore(outputs.PromoEventsTableName, 'NEW_IMAGE');
  await thawing.disposeAsync();
  const configsTable = await restore(outputs.ConfigsTableName, 'NEW_AND_OLD_IMAGES');
  const { name: erasures } = await restore(outputs.ErasuresTableName);
  const copied = application(subject);
  await apply(subject, copied);
  await untilStored(subject, outputs.PromoEventsTableName, [request, ...queued, copied]);
  const names = [erased.clientId, '--user', erased.userId];
  await command(deployment, 'user', 'erase', ...names, '--yes');
  // The restored table has an item with its key, which the copy has to remove first.
  const again = { ...forgotten, requestDate: new Date().toISOString() };
  await apply(erased, again);
  await freeze(cleanup);
  const later = await applyUntilQueued();
  await command(deployment, 'promo', 'copy', promoEventsTable.name, '--yes');
  const erasuresTable = { name: erasures };
  const after = await change({ configsTable, promoEventsTable, erasuresTable });

  assert.equal(after.ConfigsTableName, configsTable.name);
  assert.equal(after.PromoEventsTableName, promoEventsTable.name);
  assert.equal(after.ErasuresTableName, erasures);
  const { body, text } = await call(subject, getConfig);
  assert.deepEqual(body.data, getConfig.example.data(), text);
  assert.deepEqual(await apply(subject, request), before, 'the code was applied again');
  const last = application(subject);
  await apply(subject, last);
  const { name } = promoEventsTable;
  await untilStored(subject, name, [request, ...queued, copied, ...later, last]);
  await untilStored(erased, name, [again]);
  const [stored] = await promoEventsOf(after, erased);
  await command(deployment, 'user', 'erase', ...names, '--yes');
  await expectStaysErased({ ...deployment, outputs: after }, subject, stored ?? {});
}

/**
 * Deletes a stage that retains its data, and deploys it again with its tables. Who was erased
 * before stays erased.
 *
 * @param again deletes the stack, and deploys it with more settings.
 * @throws AssertionError
 */
export async function expectErasedAfterDeletion(
  deployment: Deployment,
  again: (settings: object) => Promise<Deployment>,
): Promise<void> {
  const { outputs, print } = deployment;
  const client = awsClient('dynamodb', DynamoDB, {});
  await using cleanup = new Cleanup(print);
  const erased = await newSubject(deployment, cleanup);
  await apply(erased, application(erased));
  const [forgotten = {}] = await promoEventsOf(outputs, erased);
  await command(deployment, 'user', 'erase', erased.clientId, '--user', erased.userId, '--yes');
  const withStream = async (TableName: string) => {
    const { Table } = await client.describeTable({ TableName });
    return { name: TableName, streamArn: Table?.LatestStreamArn };
  };
  const after = await again({
    configsTable: await withStream(outputs.ConfigsTableName),
    configVersionsTable: { name: outputs.ConfigVersionsTableName },
    promoEventsTable: await withStream(outputs.PromoEventsTableName),
    erasuresTable: { name: outputs.ErasuresTableName },
  });
  await expectStaysErased(after, await newSubject(after, cleanup), forgotten);
}

/**
 * Sends an event of a user who is erased, and one of another user: only the latter is stored.
 *
 * @param forgotten an event that the user has lost.
 */
export async function expectStaysErased(
  { outputs }: Deployment,
  other: Subject,
  forgotten: Readonly<Record<string, unknown>>,
): Promise<void> {
  const sqs = awsClient('sqs', SQS, {});
  const { PromoEventsQueueUrl: QueueUrl, PromoEventsDeadLetterQueueUrl } = outputs;
  const deadLetters = async () =>
    (await new SqsQueue(sqs, PromoEventsDeadLetterQueueUrl).count()).waiting;
  const before = await deadLetters();
  const { eventId: _, kind: __, codeIdentity: ___, ...event } = forgotten;
  const { clientId, userId } = other;
  const kept = { ...event, clientId, userId, promoCode: 'KEPT' };
  for (const sent of [forgotten, kept]) {
    await sqs.sendMessage({ QueueUrl, MessageBody: JSON.stringify(sent) });
  }
  await until('the event of another user', async () =>
    (await promoEventsOf(outputs, other)).some(({ promoCode }) => promoCode === 'KEPT'),
  );
  await until('an empty queue', async () => {
    const { waiting, inFlight } = await new SqsQueue(sqs, QueueUrl).count();
    return waiting + inFlight === 0;
  });
  const erased = { clientId: String(event.clientId) };
  assert.deepEqual(await promoEventsOf(outputs, erased), [], 'the erased user is back');
  assert.equal(await deadLetters(), before, 'an erased event is a dead letter');
}

/** Waits until a table has the codes of some requests of a user, each once, and nothing else. */
async function untilStored(
  { clientId }: Subject,
  TableName: string,
  requests: readonly Application[],
): Promise<void> {
  const client = DynamoDBDocumentClient.from(awsClient('dynamodb', DynamoDB, {}));
  const expected = requests.map(({ body, requestDate }) => `${body.promoCode} ${requestDate}`);
  const stored = async () => {
    const items = await itemsIn(TableName, client, clientId);
    return items.map(({ promoCode, requestDate }) => `${promoCode} ${requestDate}`).sort();
  };
  await until(
    `promo codes in ${TableName}`,
    async () => (await stored()).length >= expected.length,
    PATIENCE_ON_AWS_MS,
  );
  assert.deepEqual(await stored(), expected.sort(), `${TableName} has other promo codes`);
}

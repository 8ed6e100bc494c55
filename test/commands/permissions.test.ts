import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyDigest } from '../../core/clients/key-digest.ts';
import {
  actionsOf,
  type OperatorPolicy,
  type OperatorResource,
  PERMISSIONS,
} from '../../lib/operator-permissions.ts';
import { close } from '../../local/listen.ts';
import { customerData } from '../support/command-line.ts';
import { PIZZA } from '../support/configurations.ts';
import { readDocument } from '../support/documents/document.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { pipeDeadLetter } from '../support/pipe-dead-letter.ts';
import { PROMO_REQUEST, type Service, startService } from '../support/service.ts';

/* The policies for operators, compared with the calls that their commands make. */

let service: Service;
let proxies: readonly FaultProxy[];
let outputsFile: string;
/** The calls, as `dynamodb:GetItem on configs`: an action of IAM and a resource of the policies. */
const calls = new Set<string>();
beforeAll(async () => {
  service = await startService();
  const { DynamoDbEndpoint, SqsEndpoint, EventBridgeEndpoint } = service.outputs;
  const dynamodb = await watched('dynamodb', DynamoDbEndpoint);
  const sqs = await watched('sqs', SqsEndpoint);
  const events = await watched('events', EventBridgeEndpoint);
  proxies = [dynamodb, sqs, events];
  outputsFile = join(service.folder, 'watched.json');
  const outputs = {
    ...service.outputs,
    ...{ DynamoDbEndpoint: dynamodb.url, SqsEndpoint: sqs.url, EventBridgeEndpoint: events.url },
  };
  await writeFile(outputsFile, JSON.stringify({ 'CustomerDataApi-dev': outputs }));
  await writeFile(join(service.folder, 'pizza.yaml'), PIZZA);
  await writeFile(join(service.folder, 'app-id.txt'), 'an-older-app-id');
  await service.putConfig({ clientId: 'open', appIds: ['key'], fields: [], lastFieldId: 0 });
});
afterAll(async () => {
  for (const { server } of proxies) await close(server);
  await service.stop();
});

/** A proxy that notes the calls to a service. */
async function watched(prefix: string, target: string): Promise<FaultProxy> {
  const proxy = await FaultProxy.start();
  proxy.target = target;
  proxy.onDone = async ({ operation }, body) => {
    // The permission for a message is that for a batch of them.
    const action = `${prefix}:${operation.replace(/Batch$/, '')}`;
    calls.add(`${action} on ${resourceOf(JSON.parse(body.toString()))}`);
  };
  return proxy;
}

/** The resource that a request is about. */
function resourceOf(request: Record<string, unknown>): OperatorResource | undefined {
  const { outputs } = service;
  const names = new Map<unknown, OperatorResource>([
    [outputs.ConfigsTableName, 'configs'],
    [outputs.ConfigVersionsTableName, 'configVersions'],
    [outputs.PromoEventsTableName, 'promoEvents'],
    [outputs.PromoEventsQueueUrl, 'queue'],
    [outputs.PromoEventsDeadLetterQueueUrl, 'deadLetterQueue'],
    [outputs.PromoEventsBusDeadLetterQueueUrl, 'busDeadLetterQueue'],
  ]);
  if ('StreamArn' in request || 'ShardIterator' in request) return 'promoEventsStream';
  return 'Entries' in request && !('QueueUrl' in request)
    ? 'bus'
    : names.get(request.TableName ?? request.QueueUrl);
}

/** The calls that permissions allow. */
function callsIn(
  actions: Iterable<readonly [resource: string, actions: readonly string[]]>,
): string[] {
  return [...actions].flatMap(([resource, names]) => names.map((name) => `${name} on ${resource}`));
}

/**
 * In an order in which each succeeds. FILE is a first configuration of the client `pizza`, KEY a file with an App-Id, and APP the
 * app client of the deployment.
 */
const COMMANDS: readonly [OperatorPolicy, string][] = [
  ...['clients list', 'clients show demo', 'keys list demo', 'promo list demo'].map(
    (words) => ['Viewer', words] as [OperatorPolicy, string],
  ),
  ['Viewer', 'promo list demo --user nobody'],
  ['OnCall', 'promo list --search-dead-letters demo --user nobody'],
  ['Viewer', 'config pull demo'],
  ['Viewer', 'config diff demo examples/demo.yaml'],
  ['Viewer', 'preview demo'],
  ['Viewer', 'queue show'],
  ['Viewer', 'queue redrive --dry-run'],
  ['Viewer', 'queue replay --dry-run'],
  ['Editor', 'clients create pizza'],
  ['Editor', 'config publish pizza FILE -m First --yes'],
  ['Viewer', 'config history pizza'],
  ['Viewer', 'config show pizza@1'],
  ['Viewer', 'config diff pizza@2 pizza@2'],
  ['Editor', 'config rollback pizza@1 -m Undo --yes'],
  ['Editor', 'keys add pizza'],
  ['Editor', 'keys add pizza --from KEY'],
  ['Editor', 'clients set-app-clients open APP --yes'],
  ['Editor', `keys revoke acme ${keyDigest('acme-app-key')} --yes --force`],
  ['Editor', 'clients remove pizza --yes'],
  ['OnCall', 'user erase --client demo --user jane --yes'],
  ['OnCall', 'queue redrive --yes'],
  ['OnCall', 'queue replay --yes'],
  ['Viewer', 'doctor'],
];

test.each(COMMANDS)('%s allows the calls that %s makes', async (policy, words) => {
  await service.applyPromoCode({
    token: { user: 'jane' },
    body: { ...PROMO_REQUEST, userId: 'jane' },
  });
  await service.sqs.send(
    new SendMessageCommand({
      QueueUrl: service.outputs.PromoEventsDeadLetterQueueUrl,
      MessageBody: JSON.stringify({
        ...PROMO_REQUEST,
        ...{ userId: 'jane', deviceId: 'device', requestDate: '2026-07-20T10:00:00.000Z' },
        receivedAt: '2026-07-20T10:00:01.000Z',
      }),
    }),
  );
  await service.sqs.send(
    new SendMessageCommand({
      QueueUrl: service.outputs.PromoEventsBusDeadLetterQueueUrl,
      MessageBody: await pipeDeadLetter(service.outputs, 1, 1),
    }),
  );
  calls.clear();
  const args = words
    .replace('FILE', join(service.folder, 'pizza.yaml'))
    .replace('KEY', join(service.folder, 'app-id.txt'))
    .replace('APP', service.outputs.UserPoolClientId)
    .split(' ');
  const { code } = await customerData([...args, '--outputs', outputsFile]);
  // There are dead letters.
  expect(code).toBe(words === 'doctor' ? 1 : 0);
  expect([...calls]).not.toEqual([]);
  const allowed = callsIn(actionsOf(policy));
  for (const call of calls) expect(allowed).toContain(call);
  // doctor looks at everything. Of the others, it says who may run them: by the permissions that name them.
  if (words === 'doctor') return;
  const named = PERMISSIONS.filter(
    ({ policy: needed, commands }) =>
      commands.some((command) => words.startsWith(command)) ||
      (needed === 'Viewer' && policy !== 'Viewer'),
  ).flatMap(({ actions }) => callsIn(Object.entries(actions)));
  for (const call of calls) expect(named).toContain(call);
});

test('smoke makes the DynamoDB calls that its document lists, and no others', async () => {
  const { text } = await readDocument('docs/deploy.md');
  const [, listed = ''] =
    /`dynamodb:(\w+`, [^.]*) on the tables Configs and PromoEvents/.exec(text) ?? [];
  calls.clear();
  expect((await customerData(['smoke', '--outputs', outputsFile])).code).toBe(0);
  const actions = new Set([...calls].map((call) => call.replace(/ on .*/, '')));
  expect([...actions].sort()).toEqual(
    listed
      .match(/\w+(?=`)/g)
      ?.map((name) => `dynamodb:${name}`)
      .sort(),
  );
});

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSBatchResponse } from 'aws-lambda';
import { signIdToken } from 'customer-data-api-deployment/local';
import { readCloudAssembly } from 'customer-data-api-local';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { headersOf } from '../../../functions/http/request-headers.ts';
import { newFolder } from '../../support/new-folder.ts';
import { eventOf } from '../../support/promo-event.ts';
import { unpackRelease } from '../../support/recorded-release.ts';
import { PROMO_REQUEST, type Service, startService } from '../../support/service.ts';

/*
 * Functions with either value of `storeDeviceIds`, and those of release 0.1.0, which has stored all
 * device ids, use one table, as in a gradual deployment and after a change of the setting.
 */

/** The versions of a function, with the device id that each stores of a request. */
const VERSIONS = {
  off: { release: 'this', setting: 'false', stores: () => '' },
  on: { release: 'this', setting: 'true', stores: (sent: string) => sent },
  '0.1.0': { release: '0.1.0', setting: 'false', stores: (sent: string) => sent },
} as const;
type Version = keyof typeof VERSIONS;
const NAMES = Object.keys(VERSIONS) as Version[];
const PAIRS = NAMES.flatMap((first) => NAMES.map((then) => ({ first, then })));

const NOW = Date.now();
const [DATE, LATER] = [new Date(NOW - 60_000).toISOString(), new Date(NOW).toISOString()];

let service: Service;
let log: ReturnType<Service['watchLog']>;
let idToken: string;
/** The folders of the cloud assemblies. */
let releases: Readonly<Record<'this' | '0.1.0', string>>;
beforeAll(async () => {
  service = await startService();
  log = service.watchLog();
  idToken = await signIdToken(service.issuer);
  const { path, remove } = await newFolder();
  releases = { this: inject('cloudAssembly'), '0.1.0': await unpackRelease(path, '0.1.0') };
  return async () => {
    await service.stop();
    await remove();
  };
});

/** Deploys a version of a function, in place of the one that runs. */
async function deploy(name: string, version: Version): Promise<void> {
  const { release, setting } = VERSIONS[version];
  const { template, assetFolders } = await readCloudAssembly(releases[release]);
  const { codeKey = '' } = template.functions().find((one) => one.logicalId.startsWith(name)) ?? {};
  const folder = assetFolders.get(codeKey) ?? '';
  await service.functionOf(name).deploy({ folder, environment: { STORE_DEVICE_IDS: setting } });
}

async function apply(promoCode: string, requestDate: string, deviceId: string): Promise<void> {
  // Not as other tests call: the OpenAPI document need not describe what 0.1.0 answers.
  const { status } = await fetch(`${service.outputs.ApiUrl}/promoCode/apply`, {
    method: 'POST',
    headers: headersOf({ idToken, appId: 'demo-app-key', requestDate, deviceId }),
    body: JSON.stringify({ ...PROMO_REQUEST, promoCode }),
  });
  expect(status).toBe(200);
}

async function storedOf(code: string) {
  const items = await service.promoEvents();
  return Object.fromEntries(
    items
      .filter(({ promoCode }) => promoCode === code)
      .map(({ kind, requestDate, deviceId }) => [`${kind} ${requestDate}`, deviceId]),
  );
}

const codeOf = ({ first, then }: (typeof PAIRS)[number]) =>
  `${NAMES.indexOf(first)} ${NAMES.indexOf(then)}`;

test('an application keeps what was stored of its device, whichever version gets it again or another request for its code', async () => {
  for (const version of NAMES) {
    await deploy('ApplyPromoCode', version);
    for (const pair of PAIRS.filter(({ first }) => first === version)) {
      await apply(codeOf(pair), DATE, 'first phone');
    }
  }
  for (const version of NAMES) {
    await deploy('ApplyPromoCode', version);
    for (const pair of PAIRS.filter(({ then }) => then === version)) {
      await apply(codeOf(pair), DATE, 'second phone');
      await apply(codeOf(pair), LATER, 'third phone');
      await apply(codeOf(pair), DATE, 'first phone');
    }
  }
  for (const pair of PAIRS) {
    expect(await storedOf(codeOf(pair))).toEqual({
      [`applied ${DATE}`]: VERSIONS[pair.first].stores('first phone'),
      [`repeated ${LATER}`]: VERSIONS[pair.then].stores('third phone'),
    });
  }
});

test.each(PAIRS)(
  'a message of the version "$first" is stored by "$then", and is no dead letter',
  async (pair) => {
    await deploy('StoreQueuedPromoEvents', pair.then);
    const deviceId = VERSIONS[pair.first].stores('phone');
    const promoCode = `m${codeOf(pair)}`;
    const event = eventOf(PROMO_REQUEST.userId, { promoCode, deviceId });
    const Records = [{ messageId: '1', body: JSON.stringify(event) }];
    const stored = await service.functionOf('StoreQueuedPromoEvents').invoke({ Records });
    expect((stored as SQSBatchResponse).batchItemFailures).toEqual([]);
    expect(await storedOf(promoCode)).toEqual({
      [`applied ${event.requestDate}`]: VERSIONS[pair.then].stores(deviceId),
    });
  },
);

test('the check on the stream has seen no change in all of that', async () => {
  const { PromoEventsTableName: TableName } = service.outputs;
  const [{ clientId, eventId } = { clientId: '', eventId: '' }] = await service.promoEvents();
  // What it reports of a change comes after all that came before.
  const change = new UpdateCommand({
    TableName,
    Key: { clientId, eventId },
    UpdateExpression: 'SET deviceId = :deviceId',
    ExpressionAttributeValues: { ':deviceId': 'changed by hand' },
  });
  await service.documentClient.send(change);
  const reports = () => log.lines().filter((line) => line.includes('A guarantee about'));
  await vi.waitFor(() => expect(reports()).not.toEqual([]));
  expect(reports()).toEqual([expect.stringContaining('"breach":"changed"')]);
});

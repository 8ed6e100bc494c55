import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nameOf } from '../../../functions/api/operation.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { readSettings, SettingsError } from '../../../lib/settings.ts';

const recipients = { alarmRecipients: 'none' };
const operationNames = OPERATIONS.map(nameOf).join(', ');
const operationIds = OPERATIONS.map(({ paths: [{ operationId }] }) => operationId).join(', ');

test('a minimal stage file keeps its data and has the defaults', () => {
  expect(readSettings(recipients)).toEqual({
    retainData: true,
    alarmRecipients: 'none',
    runbookUrl: 'docs/runbook.md',
    accessLogs: false,
    userIdClaim: 'sub',
    requireUserPoolClientIds: false,
    requestDateWindowSeconds: 86_400,
    configCacheSeconds: 10,
    throttling: {},
    reservedConcurrency: {},
    memoryMegabytes: 1024,
    provisionedConcurrency: {},
    rateLimits: { perAddress: 10_000, perAddressAndAppId: 2000 },
    tags: {},
  });
});

test('a limit that is left out has its own default', () => {
  const { rateLimits } = readSettings({ ...recipients, rateLimits: { perAddressAndAppId: 20 } });
  expect(rateLimits).toEqual({ perAddress: 10_000, perAddressAndAppId: 20 });
});

test.each(['eu-central-1_A', 'us-gov-west-1_A', 'eusc-de-east-1_A'])(
  'user pools of any partition are accepted: %s',
  (userPoolId) => {
    const settings = readSettings({ ...recipients, userPoolId, userPoolClientIds: ['a'] });
    expect(settings.userPoolId).toBe(userPoolId);
  },
);

test.each(['api.example.com', 'a-1.example.co.uk', '1.example.photography', 'x.io'])(
  'a domain name is accepted: %s',
  (name) => {
    const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/12ab-34cd';
    const settings = readSettings({ ...recipients, customDomain: { name, certificateArn } });
    expect(settings.customDomain?.name).toBe(name);
  },
);

test('every setting in the file takes effect', () => {
  const settings = {
    retainData: false,
    alarmRecipients: ['ops@example.com', 'arn:aws:sns:eu-central-1:123456789012:alarms'],
    runbookUrl: 'https://example.com/runbook.md',
    accessLogs: true,
    gatewayLogRole: 'existing',
    userPoolId: 'eu-central-1_AbCdEfGhI',
    userPoolClientIds: ['1abc', '2def'],
    configsTable: {
      name: 'restored-configs',
      streamArn:
        'arn:aws:dynamodb:eu-central-1:123456789012:table/restored-configs/stream/2026-11-20T09:30',
    },
    configVersionsTable: { name: 'restored-versions' },
    promoEventsTable: {
      name: 'restored',
      streamArn:
        'arn:aws:dynamodb:eu-central-1:123456789012:table/restored/stream/2026-11-20T09:30',
    },
    userIdClaim: 'custom:userId',
    requireUserPoolClientIds: true,
    requestDateWindowSeconds: 3600,
    configCacheSeconds: 0,
    throttling: { getConfig: { requestsPerSecond: 100, burst: 50 } },
    reservedConcurrency: { GetConfig: 100, ApplyPromoCode: 200, StoreQueuedPromoEvents: 10 },
    memoryMegabytes: 2048,
    provisionedConcurrency: { GetConfig: 100, ApplyPromoCode: 5 },
    webAcl: true,
    rateLimits: { perAddress: 50, perAddressAndAppId: 50 },
    promoEventRetentionDays: 365,
    tags: { team: 'loyalty' },
  };
  expect(readSettings(settings)).toEqual(settings);
  const twoLists = { alarmRecipients: { page: ['a@b.c'], inform: ['a@b.c', 'd@e.f'] } };
  expect(readSettings(twoLists)).toMatchObject(twoLists);
  const newPool = { ...recipients, signInIdentifiers: ['email'], appClients: ['Acme', 'Pizza'] };
  expect(readSettings(newPool)).toMatchObject(newPool);
});

const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/12ab-34cd';

describe('an invalid setting is named, with the values that are allowed', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ retainData: 'no' }, 'The setting retainData must be true or false; it is "no"'],
    [
      { retainData: true, alarmRecipients: undefined },
      'Settings: alarmRecipients is required with retainData: list e-mail addresses or SNS topics, or write "none".',
    ],
    [
      { alarmRecipients: [] },
      'The setting alarmRecipients must be a list of recipients; it is [].',
    ],
    [
      { alarmRecipients: 'ops@example.com' },
      'The setting alarmRecipients must be a list of e-mail addresses and ARNs of SNS topics, an object with such a list for page and for inform, or "none"; it is "ops@example.com".',
    ],
    [
      { alarmRecipients: ['ops'] },
      'The setting alarmRecipients.0 must be an e-mail address or the ARN of an SNS topic, such as arn:aws:sns:eu-central-1:123456789012:alarms; it is "ops".',
    ],
    [{ alarmRecipients: ['a@b.c', 'a@b.c'] }, 'must not be repeated'],
    [{ alarmRecipients: ['a@b.c', 'd@e.f', 'a@b.c'] }, 'must not be repeated'],
    [{ alarmRecipients: { page: ['a@b.c'] } }, 'The setting alarmRecipients'],
    [{ alarmRecipients: { page: [], inform: ['a@b.c'] } }, 'The setting alarmRecipients'],
    [
      { runbookUrl: 'http://example.com' },
      'The setting runbookUrl must be the https URL of your copy of docs/runbook.md; it is "http://example.com".',
    ],
    [{ runbookUrl: 'https://example.com/runbook#alarms' }, 'must be the https URL of your copy'],
    [{ accessLogs: 'yes' }, 'The setting accessLogs must be true or false'],
    [
      { accessLogs: true },
      'accessLogs needs gatewayLogRole, which is used for nothing else: write "existing" if the settings of API Gateway have a CloudWatch log role ARN in this account and region, otherwise "new".',
    ],
    [{ gatewayLogRole: 'new' }, 'accessLogs needs gatewayLogRole'],
    [{ accessLogs: true, gatewayLogRole: 'mine' }, 'gatewayLogRole must be new or existing'],
    [
      { userPoolId: 'pool', userPoolClientIds: ['a'] },
      'The setting userPoolId must be the id of a Cognito user pool, such as eu-central-1_AbCdEfGhI; it is "pool".',
    ],
    [
      { userPoolId: 'eu-central-1_A' },
      'userPoolId and userPoolClientIds belong together: set both for an existing user pool, or neither for a new one.',
    ],
    [{ userPoolClientIds: ['a'] }, 'userPoolId and userPoolClientIds belong together'],
    [
      { userPoolId: 'eu-central-1_A', userPoolClientIds: ['a b'] },
      'The setting userPoolClientIds.0 must be the id of a Cognito app client, such as 1example23456789; it is "a b".',
    ],
    [
      { userPoolId: 'eu-central-1_A', userPoolClientIds: [] },
      'The setting userPoolClientIds must be a list of ids of Cognito app clients; it is [].',
    ],
    [
      { userPoolId: 'eu-central-1_A', userPoolClientIds: ['a'], appClients: ['App'] },
      'signInIdentifiers and appClients describe a new user pool; remove them or userPoolId.',
    ],
    [
      { userPoolId: 'eu-central-1_A', userPoolClientIds: ['a'], signInIdentifiers: ['email'] },
      'signInIdentifiers and appClients describe a new user pool',
    ],
    [{ signInIdentifiers: ['mail'] }, 'must be username, email or phone'],
    [{ signInIdentifiers: [] }, 'signInIdentifiers must be a list of username, email and phone'],
    [{ appClients: [] }, 'The setting appClients must be a list of names; it is [].'],
    [{ appClients: ['my app'] }, 'must be 1 to 32 letters and digits'],
    [{ appClients: ['A'.repeat(33)] }, 'must be 1 to 32 letters and digits'],
    [{ appClients: ['1App'] }, 'must be 1 to 32 letters and digits, and start with a letter'],
    [{ configsTable: 'name' }, 'The setting configsTable must be an object.'],
    [{ configsTable: { name: 'restored' } }, 'The setting configsTable.streamArn is missing.'],
    [{ configVersionsTable: { name: 'no' } }, 'must be the name of a DynamoDB table'],
    [{ promoEventsTable: { name: 'restored' } }, 'The setting promoEventsTable.streamArn'],
    [
      { promoEventsTable: { name: 'restored', streamArn: 'arn' } },
      'must be the ARN of the stream of a DynamoDB table',
    ],
    [
      { userIdClaim: '' },
      'The setting userIdClaim must be the name of a claim of the ID token, such as sub, cognito:username or custom:userId, or none; it is "".',
    ],
    [{ requestDateWindowSeconds: '3600' }, 'must be an integer from 60 to 31536000; it is "3600"'],
    [{ requestDateWindowSeconds: 59 }, 'must be an integer from 60 to 31536000; it is 59'],
    [{ configCacheSeconds: -1 }, 'must be an integer from 0 to 900; it is -1'],
    [{ configCacheSeconds: 1.5 }, 'must be an integer from 0 to 900; it is 1.5'],
    [{ configCacheSeconds: 901 }, 'must be an integer from 0 to 900; it is 901'],
    [{ configCacheSeconds: null }, 'must be an integer from 0 to 900; it is null'],
    [{ promoEventRetentionDays: 29 }, 'must be an integer from 30 to 3650; it is 29'],
    [
      { promoEventRetentionDays: 35, requestDateWindowSeconds: 7 * 24 * 60 * 60 },
      'promoEventRetentionDays must be at least 42 with this requestDateWindowSeconds: otherwise a duplicate request could arrive after its event has expired, and apply the code again.',
    ],
    [
      { throttling: { getConfig: { burst: 5 } } },
      'The setting throttling.getConfig.requestsPerSecond is missing',
    ],
    [
      { throttling: { default: { requestsPerSecond: 0, burst: 5 } } },
      'The setting throttling.default.requestsPerSecond must be an integer from 1 to 1000000; it is 0',
    ],
    [
      { throttling: { getConfig: { requestsPerSecond: 1, burst: 5, x: 1 } } },
      'There is no setting "throttling.getConfig.x". The settings are requestsPerSecond, burst.',
    ],
    [
      { throttling: { getconfig: { requestsPerSecond: 1, burst: 5 } } },
      `There is no setting "throttling.getconfig". The settings are default, ${operationIds}.`,
    ],
    [{ reservedConcurrency: { GetConfig: 0 } }, 'reservedConcurrency.GetConfig must be an integer'],
    [
      { reservedConcurrency: { getConfig: 5 } },
      `There is no setting "reservedConcurrency.getConfig". The settings are ${operationNames}, StoreQueuedPromoEvents, RecordConfigurationVersions.`,
    ],
    [
      { reservedConcurrency: { StoreQueuedPromoEvents: 9 } },
      'reservedConcurrency.StoreQueuedPromoEvents must be at least 10: the queue delivers that many batches at the same time, and those that are throttled would become dead letters.',
    ],
    [{ memoryMegabytes: 255 }, 'memoryMegabytes must be an integer from 256 to 10240; it is 255'],
    [{ memoryMegabytes: 10_241 }, 'memoryMegabytes must be an integer'],
    [
      { provisionedConcurrency: { StoreQueuedPromoEvents: 1 } },
      `There is no setting "provisionedConcurrency.StoreQueuedPromoEvents". The settings are ${operationNames}.`,
    ],
    [
      { provisionedConcurrency: { GetConfig: 3 }, reservedConcurrency: { GetConfig: 2 } },
      'provisionedConcurrency of an operation must not exceed its reservedConcurrency: AWS would refuse it.',
    ],
    [{ requireUserPoolClientIds: 1 }, 'requireUserPoolClientIds must be true or false; it is 1'],
    [{ webAcl: 'no' }, 'The setting webAcl must be true or false; it is "no"'],
    [{ rateLimits: { perAddress: 9 } }, 'rateLimits.perAddress must be an integer from 10 to'],
    [
      { rateLimits: { perAddress: 100 } },
      'rateLimits.perAddressAndAppId must not exceed rateLimits.perAddress: it would never be reached.',
    ],
    [
      { rateLimits: { perAddress: 100, perAddressAndAppId: 101 } },
      'rateLimits.perAddressAndAppId must not exceed rateLimits.perAddress',
    ],
    [{ corsOrigins: [] }, 'The setting corsOrigins must be a list of origins; it is [].'],
    [
      { corsOrigins: 'https://a.example' },
      'The setting corsOrigins must be a list of origins such as https://shop.example.com, or "*"; it is "https://a.example".',
    ],
    [{ corsOrigins: ['https://a.example', '*'] }, 'corsOrigins'],
    [
      { corsOrigins: ['https://a.example', 'https://b.example/'] },
      'The setting corsOrigins.1 must be an origin as browsers send it, such as https://shop.example.com: lower case, without a path; it is "https://b.example/".',
    ],
    [{ corsOrigins: ['https://A.example'] }, 'corsOrigins'],
    [{ corsOrigins: ['a.example'] }, 'corsOrigins'],
    [{ corsOrigins: ['https://a.example") || ("" == "'] }, 'corsOrigins'],
    [{ customDomain: { name: 'api.example.com' } }, 'customDomain.certificateArn is missing'],
    [
      { customDomain: { name: 'API.example.com', certificateArn } },
      'customDomain.name must be a domain name in lower case, such as api.example.com; it is "API.example.com".',
    ],
    [
      { customDomain: { name: 'https://a.example', certificateArn } },
      'customDomain.name must be a',
    ],
    [{ customDomain: { name: 'example', certificateArn } }, 'customDomain.name must be a'],
    [
      { customDomain: { name: 'a.example', certificateArn: 'arn' } },
      'must be the ARN of a certificate of AWS Certificate Manager; it is "arn".',
    ],
    [
      { customDomain: { name: 'a.example', certificateArn, hostedZoneId: 'example' } },
      'customDomain.hostedZoneId must be the id of a hosted zone of Route 53; it is "example".',
    ],
    [{ tags: { 'aws:x': 'y' } }, 'must be an AWS tag key'],
    [{ tags: { team: 'a, b' } }, 'The setting tags.team must be an AWS tag value; it is "a, b".'],
    [{ retainDate: true }, 'There is no setting "retainDate". The settings are retainData, alarm'],
  ])('%j', (settings, message) => {
    const all = { ...recipients, ...settings };
    expect(() => readSettings(all)).toThrow(SettingsError);
    expect(() => readSettings(all)).toThrow(message);
  });

  test.each([0, 1, 2])('at each place of a list: %i', (index) => {
    const lists: Record<string, [good: string[], bad: string]> = {
      userPoolClientIds: [['1abc', '2def', '3ghi'], 'not an id'],
      alarmRecipients: [['a@example.com', 'b@example.com', 'c@example.com'], 'nobody'],
    };
    for (const [name, [good, bad]] of Object.entries(lists)) {
      const settings = { retainData: false, userPoolId: 'eu-central-1_A', [name]: good };
      expect(() => readSettings({ userPoolClientIds: ['1abc'], ...settings })).not.toThrow();
      const list = good.with(index, bad);
      expect(() =>
        readSettings({ userPoolClientIds: ['1abc'], ...settings, [name]: list }),
      ).toThrow(`${name}.${index}`);
    }
  });

  test.each([
    [['https://shop.example.com', 'http://localhost:8100', 'capacitor://localhost']],
    ['*'],
  ])('but not the origins %j', (corsOrigins) => {
    expect(readSettings({ retainData: false, corsOrigins })).toMatchObject({ corsOrigins });
  });

  test.each([
    ['requestDateWindowSeconds', 60, 31_536_000],
    ['configCacheSeconds', 0, 900],
    ['promoEventRetentionDays', 30, 3650],
  ])('but not the limits of %s: %i and %i', (name, min, max) => {
    for (const value of [min, max]) {
      expect(readSettings({ retainData: false, [name]: value })).toMatchObject({ [name]: value });
    }
  });

  test.each([
    [7 * 24 * 60 * 60, 42],
    // Twice the window is a bit more than two days.
    [86_401, 31],
  ])(
    'but not the shortest retention after which no duplicate can arrive: with a window of %i s, %i days',
    (requestDateWindowSeconds, days) => {
      const window = { retainData: false, requestDateWindowSeconds };
      expect(() => readSettings({ ...window, promoEventRetentionDays: days })).not.toThrow();
      expect(() => readSettings({ ...window, promoEventRetentionDays: days - 1 })).toThrow(
        `at least ${days} `,
      );
    },
  );

  test('all invalid settings at once, one line each', () => {
    const settings = { ...recipients, userIdClaim: '', configCacheSeconds: 'x', typo: 1 };
    expect(() => readSettings(settings)).toThrow(/^.+\n.+\n.+$/);
  });

  test('and never causes another error, for any value', () => {
    const name = fc.constantFrom(
      ...['retainData', 'alarmRecipients', 'userPoolId', 'userPoolClientIds', 'signInIdentifiers'],
      ...['appClients', 'configsTable', 'promoEventsTable', 'userIdClaim', 'configCacheSeconds'],
      'configVersionsTable',
      ...['requestDateWindowSeconds', 'promoEventRetentionDays', 'tags', 'throttling'],
      ...['runbookUrl', 'accessLogs', 'gatewayLogRole'],
      ...['memoryMegabytes', 'provisionedConcurrency'],
      ...['reservedConcurrency', 'webAcl', 'rateLimits', 'requireUserPoolClientIds'],
    );
    fc.assert(
      fc.property(name, fc.anything(), (setting, value) => {
        try {
          readSettings({ ...recipients, [setting]: value });
        } catch (error) {
          expect(error).toBeInstanceOf(SettingsError);
        }
      }),
    );
  });
});

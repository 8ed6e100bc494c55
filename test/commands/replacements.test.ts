import { fullDiff, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import { expect, test } from 'vitest';
import { SettingsSchema } from '../../lib/settings/settings.ts';
import { EVERY_ALARM, PLACE, templateOf, VARIANTS } from '../infrastructure/variants.ts';

/*
 * CloudFormation makes a new resource before it deletes the one that it replaces. AWS refuses a
 * second one of the same name, and the whole deployment is rolled back.
 */

type Settings = Readonly<Record<string, unknown>>;
type Resource = { readonly Type: string; readonly Properties?: object };
type Resources = Readonly<Record<string, Resource>>;

const topic = (name: string) => `arn:aws:sns:eu-central-1:123456789012:${name}`;
const table = (name: string) => ({
  name,
  streamArn: `arn:aws:dynamodb:eu-central-1:123456789012:table/${name}/stream/2026-11-20T09:30`,
});
const { customDomain } = EVERY_ALARM;

/** A stage that has each kind of resource. */
const BASE: Settings = {
  ...PLACE,
  ...VARIANTS.capacity,
  ...EVERY_ALARM,
  alarmRecipients: { page: [topic('page')], inform: ['a@example.com', topic('inform')] },
  signInIdentifiers: ['email'],
  email: VARIANTS.experiment?.email,
  provisionedConcurrency: { GetConfig: 3 },
  userAttributes: ['userId'],
  corsOrigins: ['https://a.example'],
  customDomain: { ...customDomain, hostedZoneId: 'Z123ABC' },
};
/** The same with what another stack has made. */
const EXISTING: Settings = {
  ...BASE,
  ...VARIANTS['existing-resources'],
  alarmRecipients: ['a@example.com'],
  appClients: undefined,
  signInIdentifiers: undefined,
  blockedAddresses: undefined,
  countedRules: undefined,
  email: undefined,
  userAttributes: undefined,
};

/** Changes of settings, each of one. */
const CHANGES: readonly (readonly [base: Settings, change: Settings])[] = [
  ...[
    { tags: { team: 'loyalty' } },
    { retainData: false },
    { alarmRecipients: { page: [topic('page')], inform: ['b@example.com', topic('inform')] } },
    { alarmRecipients: ['a@example.com'] },
    { alarmRecipients: 'none' },
    { runbookUrl: 'https://example.com/other' },
    { heartbeat: false },
    { checkPromoEvents: false },
    { logRetentionDays: 90 },
    { gatewayLogRole: 'existing' },
    { userPoolIssuer: 'updated' },
    { selfSignUp: true },
    { email: undefined },
    { userPoolPlan: 'essentials' },
    { appClients: ['App', 'Acme'] },
    { userAttributes: ['userId', 'tier'] },
    { userIdClaim: 'custom:userId' },
    { requireUserPoolClientIds: false },
    { configsTable: table('configs') },
    { configVersionsTable: { name: 'versions' } },
    { promoEventsTable: table('events') },
    { erasuresTable: { name: 'erasures' } },
    { requestDateWindowSeconds: 3600 },
    { configCacheSeconds: 60 },
    { throttling: {} },
    { reservedConcurrency: { GetConfig: 300 } },
    { memoryMegabytes: 512 },
    { provisionedConcurrency: {} },
    { webAcl: false, blockedAddresses: undefined, countedRules: undefined },
    { rateLimits: { perAddress: 600, perAddressAndAppId: 50 } },
    { blockedAddresses: ['203.0.113.8/32'] },
    { blockedAddresses: undefined },
    { countedRules: undefined },
    { promoEventRetentionDays: 365 },
    { storeDeviceIds: true },
    { corsOrigins: '*' },
    { corsOrigins: undefined },
    { customDomain: { ...customDomain, name: 'shop.example.com' } },
    {
      customDomain: {
        ...customDomain,
        certificateArn: customDomain.certificateArn.replace('12ab', '56ef'),
      },
    },
    { customDomain: undefined },
    { gradualDeployment: false },
    { accessLogs: false, gatewayLogRole: undefined },
  ].map((change): [Settings, Settings] => [BASE, change]),
  ...[
    { userPoolId: 'eu-central-1_Other', userPoolIssuer: 'original' },
    { userPoolClientIds: ['1abc', '3ghi'] },
    { configsTable: table('others') },
    { configVersionsTable: { name: 'others' } },
    { promoEventsTable: table('others') },
    { erasuresTable: { name: 'others' } },
    { alarmRecipients: ['b@example.com'] },
  ].map((change): [Settings, Settings] => [EXISTING, change]),
];

const REPLACED = [ResourceImpact.WILL_REPLACE, ResourceImpact.MAY_REPLACE];

/** The name that a template gives a resource, such as `AlarmName`. */
function nameOf({ Type, Properties = {} }: Resource = { Type: '' }): string[] {
  const isName = (key: string) =>
    key.endsWith('Name') && Type.replace(/Name$/, '').endsWith(key.slice(0, -4));
  return Object.entries(Properties)
    .filter(([key, value]) => isName(key) && typeof value === 'string')
    .map(([key, value]) => `${Type} ${key} ${value}`);
}

/** The names that a new resource would share with one that is deleted after it was made. */
function clashes(before: Resources, after: Resources): string[] {
  const made: string[] = [];
  const deleted: string[] = [];
  fullDiff({ Resources: before }, { Resources: after }).resources.forEachDifference(
    (id, change) => {
      const isReplaced = REPLACED.includes(change.changeImpact);
      if (change.isAddition || isReplaced) made.push(...nameOf(after[id]));
      if (change.isRemoval || isReplaced) deleted.push(...nameOf(before[id]));
    },
  );
  return made.filter((name) => deleted.includes(name));
}

const resourcesOf = (settings: Settings): Resources => templateOf(settings).toJSON().Resources;

const titled = CHANGES.map(([base, change]) => [JSON.stringify(change), base, change] as const);

test.each(titled)('no new resource has the name of an old one: %s', (_, base, change) => {
  const [before, after] = [resourcesOf(base), resourcesOf({ ...base, ...change })];
  expect(clashes(before, after)).toEqual([]);
  expect(clashes(after, before)).toEqual([]);
});

/** A stage in another place is another stack, and Cognito refuses another kind of user names. */
const FIXED = ['$schema', 'account', 'region', 'signInIdentifiers'];

test('each setting that can change is changed', () => {
  const changed = CHANGES.flatMap(([, change]) => Object.keys(change));
  const missing = Object.keys(SettingsSchema.entries).filter((name) => !changed.includes(name));
  expect(missing.sort()).toEqual(FIXED);
});

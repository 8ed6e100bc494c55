import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { readSettings, SettingsError, SettingsSchema } from '../../../../lib/settings/settings.ts';
import { isCustomersOwn } from '../../../../lib/settings/users.ts';
import { PROJECT } from '../../../support/documents/document.ts';

const SCHEMA = JSON.parse(readFileSync(new URL('stages/schema.json', PROJECT), 'utf8'));
const recipients = { alarmRecipients: 'none' };
const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:alarms';
const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/12ab-34cd';
const pool = { userPoolId: 'eu-central-1_A', userPoolClientIds: ['a'] };
const email = {
  from: 'Shop <no-reply@shop.example.com>',
  identityArn: 'arn:aws:ses:eu-central-1:123456789012:identity/shop.example.com',
};
const COMMON_RULE = 'AWS#AWSManagedRulesCommonRuleSet#GenericLFI_BODY';
const table = {
  name: 'restored',
  streamArn: 'arn:aws:dynamodb:eu-central-1:123456789012:table/restored/stream/2026-11-20T09:30',
};
const customDomain = { name: 'api.example.com', certificateArn };
const addressIdentity = 'arn:aws:ses:eu-west-1:123456789012:identity/no-reply@b.example';
const pages = (page: string) => ({ page: [page], inform: ['a@b.c'] });
const addresses = (count: number) =>
  Array.from({ length: count }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}/32`);
const DAY_SECONDS = 24 * 60 * 60;

test('lists may be as long as AWS accepts, and not longer', () => {
  const tags = (count: number) => Object.fromEntries(addresses(count).map((tag) => [tag, tag]));
  const attributes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}`);
  const read = (settings: object) => () => readSettings({ ...recipients, ...settings });
  expect(read({ tags: tags(50), blockedAddresses: addresses(10_000) })).not.toThrow();
  expect(read({ tags: tags(51) })).toThrow(/ tags .* 50 /);
  expect(read({ userAttributes: attributes(50) })).not.toThrow();
  expect(read({ userAttributes: attributes(51) })).toThrow(/ userAttributes .* 50 /);
  expect(read({ blockedAddresses: addresses(10_001) })).toThrow(/ blockedAddresses .* 10000 /);
});

test('logs are kept for each number of days that the CDK has, from 30 on, and not for ever', () => {
  const days = Object.values(RetentionDays).filter((one) => typeof one === 'number');
  const accepted = days.filter((logRetentionDays) => {
    const { success } = v.safeParse(SettingsSchema, { ...recipients, logRetentionDays });
    return success;
  });
  expect(accepted).toEqual(days.filter((one) => one >= 30 && one !== RetentionDays.INFINITE));
});

test.each([
  { équipe: 'Kundenbindung Süd' },
  { チーム: 'ポイント' },
  { 'команда/цех': 'один 1' },
  { 𠮷: '𠮷'.repeat(256) },
])('tags may be in any script, in editors too (%#)', (tags) => {
  expect(readSettings({ ...recipients, tags })).toMatchObject({ tags });
  expect(new Ajv({ strict: false }).validate(SCHEMA, { tags })).toBe(true);
});

// The golden files of test/infrastructure show the effect of others.
test.each<Record<string, unknown>>([
  { ...pool, configsTable: table, configVersionsTable: { name: 'old' }, promoEventsTable: table },
  { ...pool, userPoolClientIds: ['1abc', '2def'], requireUserPoolClientIds: false },
  { ...pool, erasuresTable: { name: 'old' } },
  { ...pool, userPoolId: 'eusc-de-east-1_A' },
  { signInIdentifiers: ['email', 'phone', 'username'], appClients: ['A'.repeat(32)] },
  { appClients: ['Acme', 'Pizza'], requireUserPoolClientIds: true },
  {
    userIdClaim: 'custom:userId',
    userAttributes: ['tier', 'userId'],
    requireUserPoolClientIds: true,
    webAcl: false,
  },
  { userAttributes: ['a'.repeat(20)] },
  { ...pool, userIdClaim: 'custom:userId' },
  { ...pool, userIdClaim: 'email', userPoolIssuer: 'updated' },
  { selfSignUp: true, signInIdentifiers: ['username', 'email'], email },
  { retainData: false, selfSignUp: true, signInIdentifiers: ['email'] },
  { provisionedConcurrency: { GetConfig: 3 }, reservedConcurrency: { GetConfig: 3 } },
  { corsOrigins: '*', customDomain: { name: 'a-1.example.co.uk', certificateArn } },
  // The shortest retention after which no duplicate can arrive: twice the window, and 28 days in
  // the queues.
  { promoEventRetentionDays: 42, requestDateWindowSeconds: 7 * DAY_SECONDS },
  { blockedAddresses: ['1.0.0.0/1', '::ffff:0:0/96', '2001:DB8::/128', '::/1'] },
  { email: { from: 'Shop <No-Reply+b@b.example>', identityArn: addressIdentity } },
  { alarmRecipients: ['o.p+s@a--b.eu.xn--mller-kva.xn--p1ai', "-o'x@1.example"] },
  // In the place of the stage, or where AWS reaches them anyway.
  { region: 'eu-central-1', account: '123456789012', customDomain, configsTable: table },
  { region: 'eu-central-1', account: '210987654321', alarmRecipients: pages(TOPIC) },
  { region: 'eu-north-1', account: '123456789012', email },
])('%j takes effect as it is', (settings) => {
  expect(readSettings({ ...recipients, ...settings })).toMatchObject(settings);
});

test.each([
  [undefined, '"userAttributes": ["userId"]'],
  [['tier'], '"userAttributes": ["tier", "userId"]'],
])('a claim of an attribute that is not among %j is refused with the line to add', (list, line) => {
  const settings = { ...recipients, userIdClaim: 'custom:userId', userAttributes: list };
  expect(() => readSettings(settings)).toThrow(line);
});

test('a claim that Cognito verifies, or that is no standard attribute, is not the own of customers', () => {
  const claims = [
    'email',
    'phone_number',
    'sub',
    'cognito:username',
    'custom:name',
    'aud',
    'names',
  ];
  expect(claims.filter(isCustomersOwn)).toEqual([]);
});

/* `stages/schema.json` has types, bounds and patterns: a change of them is seen there. */
describe('an invalid setting is refused by its name', () => {
  test.each<[name: string, settings: Record<string, unknown>]>([
    ['alarmRecipients', { alarmRecipients: undefined }],
    ['alarmRecipients.2', { alarmRecipients: ['a@b.c', TOPIC, 'ops'] }],
    ['alarmRecipients', { alarmRecipients: { page: ['a@b.c'] } }],
    ['blockedAddresses', { blockedAddresses: ['203.0.113.7/32'], webAcl: false }],
    ['countedRules', { countedRules: [COMMON_RULE], webAcl: false }],
    ['gatewayLogRole', { accessLogs: true }],
    ['userPoolClientIds', { userPoolId: 'eu-central-1_A' }],
    ['requireUserPoolClientIds', { appClients: ['Acme', 'Pizza'] }],
    ['requireUserPoolClientIds', { ...pool, userPoolClientIds: ['a', 'b'] }],
    ['userPoolId', { userPoolClientIds: ['a'] }],
    ['appClients', { ...pool, appClients: ['App'] }],
    ['signInIdentifiers', { ...pool, signInIdentifiers: ['email'] }],
    ['selfSignUp', { selfSignUp: true, signInIdentifiers: ['username'] }],
    ['email', { selfSignUp: true, signInIdentifiers: ['email'] }],
    ['email', { ...pool, email }],
    ['userPoolPlan', { ...pool, userPoolPlan: 'lite' }],
    ['promoEventsTable', { promoEventsTable: { ...table, name: 'another' } }],
    // Users of the pool can change them.
    ['userIdClaim', { userIdClaim: 'email' }],
    ['userIdClaim', { userIdClaim: `custom:${'a'.repeat(21)}` }],
    ['userIdClaim', { userIdClaim: 'custom:userId', userAttributes: ['userid'] }],
    ['userAttributes', { ...pool, userAttributes: ['userId'] }],
    ['userAttributes.0', { userAttributes: ['custom:userId'] }],
    ['userAttributes.1', { userAttributes: ['userId', 'userId'] }],
    [
      'promoEventRetentionDays',
      { promoEventRetentionDays: 41, requestDateWindowSeconds: 7 * DAY_SECONDS },
    ],
    // The queues deliver ten batches and two at the same time: those that are throttled would
    // become dead letters.
    [
      'reservedConcurrency.StoreQueuedPromoEvents',
      { reservedConcurrency: { StoreQueuedPromoEvents: 9 } },
    ],
    [
      'reservedConcurrency.PublishPromoEvents',
      { reservedConcurrency: { StoreQueuedPromoEvents: 10, PublishPromoEvents: 1 } },
    ],
    [
      'provisionedConcurrency',
      { provisionedConcurrency: { GetConfig: 3 }, reservedConcurrency: { GetConfig: 2 } },
    ],
    ['rateLimits.perAddressAndAppId', { rateLimits: { perAddress: 100, perAddressAndAppId: 101 } }],
    ['corsOrigins.1', { corsOrigins: ['https://a.example', '*'] }],
    ['corsOrigins.0', { corsOrigins: ['https://a.example") || ("" == "'] }],
    ['retainDate', { retainDate: true }],
    ['blockedAddresses.0', { blockedAddresses: ['999.1.2.3/32'] }],
    ['countedRules.0', { countedRules: ['GenericLFI_BODY'] }],
    ['countedRules.1', { countedRules: [COMMON_RULE, 'AWS#AWSManagedRulesAdminSet#X'] }],
    ['blockedAddresses.1', { blockedAddresses: ['203.0.113.7/32', '::/0'] }],
    ['blockedAddresses.0', { blockedAddresses: ['2001:db8::/129'] }],
    ['tags', { tags: { team: 'a', Team: 'b' } }],
    ['tags.AWS:team', { tags: { 'AWS:team': 'a' } }],
    ['tags.team', { tags: { team: '' } }],
    ['tags.team', { tags: { team: '😀' } }],
    ['tags.team', { tags: { team: 'é'.repeat(257) } }],
    ...['ops@example.com;', 'a@b.c, d@e.f', 'a@b', 'a..b@c.d', 'a@b-.c'].flatMap(
      (address): [string, Record<string, unknown>][] => [
        ['alarmRecipients.0', { alarmRecipients: [address] }],
        ['email.from', { email: { ...email, from: address } }],
        ['email.from', { email: { ...email, from: `Shop <${address}>` } }],
      ],
    ),
    ['email.from', { email: { ...email, from: 'Shop <a@other-shop.example.com>' } }],
    ['email.from', { email: { from: 'a@b.example', identityArn: addressIdentity } }],
    ['alarmRecipients.1', { region: 'us-east-1', alarmRecipients: ['a@b.c', TOPIC] }],
    ['alarmRecipients.page.0', { region: 'us-east-1', alarmRecipients: pages(TOPIC) }],
    ['customDomain.certificateArn', { region: 'us-east-1', customDomain }],
    ['customDomain.certificateArn', { account: '210987654321', customDomain }],
    ['configsTable.streamArn', { region: 'eu-west-1', configsTable: table }],
    ['promoEventsTable.streamArn', { account: '210987654321', promoEventsTable: table }],
  ])('%s of %j', (name, settings) => {
    const read = () => readSettings({ ...recipients, ...settings });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(new RegExp(`(?<![\\w.])${name.replaceAll('.', '\\.')}(?!\\w|\\.\\w)`));
  });

  test('together with all others, one line each', () => {
    const settings = { ...recipients, userIdClaim: '', configCacheSeconds: 'x', typo: 1 };
    expect(() => readSettings(settings)).toThrow(/^.*userIdClaim.*\n.*configCache.*\n.*typo.*$/);
  });

  test('and never with another error, for any value', () => {
    const name = fc.constantFrom(...Object.keys(SettingsSchema.entries));
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

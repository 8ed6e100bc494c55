import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import {
  addCustomerDataApiStack,
  CustomerDataApiStack,
} from '../../lib/customer-data-api-stack.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import { appFor, oncePerRun } from '../support/stack.ts';
import { type GoldenTemplate, goldenTemplate } from './golden-template.ts';

const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:alarms';
const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/12ab-34cd';
const tableWithStream = (name: string) => ({
  name,
  streamArn: `arn:aws:dynamodb:eu-central-1:123456789012:table/${name}/stream/2026-11-20T09:30`,
});

/** The account and region of a stage, which many ARNs contain. */
export const PLACE = { account: '123456789012', region: 'eu-central-1' };

/** Changes to the settings of prod. With `PLACE`, they change every setting. */
export const VARIANTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  capacity: {
    configCacheSeconds: 5,
    logRetentionDays: 365,
    gradualDeployment: false,
    memoryMegabytes: 2048,
    provisionedConcurrency: { GetConfig: 3 },
    blockedAddresses: ['203.0.113.7/32', '2001:db8::/64'],
    countedRules: ['AWS#AWSManagedRulesCommonRuleSet#GenericLFI_BODY'],
    rateLimits: { perAddress: 500, perAddressAndAppId: 40 },
    reservedConcurrency: {
      GetConfig: 200,
      ApplyPromoCode: 100,
      StoreQueuedPromoEvents: 10,
      RecordConfigurationVersions: 1,
    },
    throttling: {
      getConfig: { requestsPerSecond: 7, burst: 8 },
      default: { requestsPerSecond: 9, burst: 10 },
    },
  },
  endpoint: {
    corsOrigins: ['https://a.example', 'capacitor://localhost'],
    customDomain: { name: 'api.example.com', certificateArn, hostedZoneId: 'Z123ABC' },
    requestDateWindowSeconds: 3600,
    promoEventRetentionDays: 90,
    storeDeviceIds: true,
  },
  experiment: {
    retainData: false,
    alarmRecipients: undefined,
    appClients: ['Acme', 'Pizza'],
    email: {
      from: 'Shop <no-reply@shop.example.com>',
      identityArn: 'arn:aws:ses:eu-central-1:123456789012:identity/shop.example.com',
    },
    selfSignUp: true,
    userPoolIssuer: 'updated',
    userPoolPlan: 'plus',
    gatewayLogRole: 'existing',
    gradualDeployment: true,
    provisionedConcurrency: { ApplyPromoCode: 2 },
    requireUserPoolClientIds: false,
    runbookUrl: 'https://example.com/runbook',
    signInIdentifiers: ['email', 'phone'],
    tags: { team: 'loyalty' },
    throttling: { applyPromoCode: { requestsPerSecond: 5, burst: 6 } },
    userAttributes: ['userId', 'tier'],
    userIdClaim: 'custom:userId',
    webAcl: true,
  },
  'existing-resources': {
    accessLogs: false,
    gatewayLogRole: undefined,
    alarmRecipients: { page: [TOPIC], inform: ['a@example.com', 'b@example.com', TOPIC] },
    configsTable: tableWithStream('configs'),
    configVersionsTable: { name: 'versions' },
    customDomain: { name: 'api.example.com', certificateArn },
    heartbeat: false,
    checkPromoEvents: false,
    promoEventsTable: tableWithStream('events'),
    erasuresTable: { name: 'erasures' },
    userPoolId: 'eu-central-1_AbCdEfGhI',
    userPoolPlan: undefined,
    userPoolIssuer: 'updated',
    userPoolClientIds: ['1abc', '2def'],
    webAcl: false,
  },
};

/** Settings with which a stage has every kind of alarm. */
export const EVERY_ALARM = {
  gradualDeployment: true,
  webAcl: true,
  heartbeat: true,
  reservedConcurrency: { GetConfig: 200, ApplyPromoCode: 100, StoreQueuedPromoEvents: 10 },
  runbookUrl: 'https://example.com/runbook',
  customDomain: { name: 'api.example.com', certificateArn },
};

const PROD = readFileSync(new URL('../../stages/prod.json', import.meta.url), 'utf8');

type Changed = Readonly<Record<string, unknown>>;

/** A stack with the settings of prod, some of them changed. Its stage is called `trial`. */
export function variant(changed: Changed, context?: Changed): CustomerDataApiStack {
  const settings = readSettings({ ...JSON.parse(PROD), ...changed });
  return new CustomerDataApiStack(appFor(context), 'CustomerDataApi-trial', {
    name: 'trial',
    settings,
  });
}

function synthesized(changed: Changed, context: Changed = {}) {
  // A setting can be undefined, which replaces that of prod.
  const key = JSON.stringify([changed, context], (_, value) => value ?? null);
  return oncePerRun(`trial ${key}`, () => formsOf(variant(changed, context)));
}

function formsOf(stack: CustomerDataApiStack) {
  return { template: Template.fromStack(stack).toJSON(), golden: goldenTemplate(stack) };
}

/** The stage prod itself. */
export const prodStage = oncePerRun('stage prod', () =>
  formsOf(addCustomerDataApiStack(appFor({ stage: 'prod' }))),
);

/** The template of such a stack. */
export function templateOf(changed: Changed, context?: Changed): Template {
  return Template.fromJSON(synthesized(changed, context).template);
}

/** The golden form of such a stack. */
export function goldenOf(changed: Changed): GoldenTemplate {
  return synthesized(changed).golden;
}

import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { responseDeviations } from '../../openapi/validation.ts';
import { templateFor } from '../support/stack.ts';

/* Which requests the web ACL blocks, and what their senders are told. No emulator runs a web ACL. */

const WEB_ACL = 'AWS::WAFv2::WebACL';
const protectedStage = templateFor({ webAcl: true });

// biome-ignore lint/suspicious/noExplicitAny: a resource of a template
type Properties = any;

function webAclOf(template: Template): Properties {
  return Object.values(template.findResources(WEB_ACL))[0]?.Properties;
}

function rules(template: Template): Properties[] {
  return webAclOf(template).Rules.toSorted(
    (a: Properties, b: Properties) => a.Priority - b.Priority,
  );
}

const rule = (name: string): Properties =>
  rules(protectedStage).find(({ Name }: Properties) => Name === name);

const rateLimits = (template: Template) =>
  rules(template).flatMap(({ Statement }) => Statement.RateBasedStatement ?? []);

test.each([
  [{ retainData: true, alarmRecipients: 'none' }, 1],
  [{ retainData: false }, 0],
  [{ retainData: true, alarmRecipients: 'none', webAcl: false }, 0],
  [{ retainData: false, webAcl: true }, 1],
])('a stage with %j has %i web ACLs', (settings, count) => {
  const template = templateFor(settings);
  template.resourceCountIs(WEB_ACL, count);
  template.resourceCountIs('AWS::WAFv2::WebACLAssociation', count);
});

test('it protects the stage of the API, and lets through what no rule blocks', () => {
  const [stage] = Object.keys(protectedStage.findResources('AWS::ApiGateway::Stage'));
  const [id] = Object.keys(protectedStage.findResources(WEB_ACL));
  const [association] = Object.values(
    protectedStage.findResources('AWS::WAFv2::WebACLAssociation'),
  );
  expect(JSON.stringify(association?.Properties.ResourceArn)).toContain(`{"Ref":"${stage}"}`);
  expect(association?.Properties.WebACLArn).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
  expect(webAclOf(protectedStage)).toMatchObject({
    Scope: 'REGIONAL',
    DefaultAction: { Allow: {} },
  });
});

describe('a rate limit', () => {
  const perAddressAndAppId = {
    AggregateKeyType: 'CUSTOM_KEYS',
    CustomKeys: [
      { IP: {} },
      { Header: { Name: 'App-Id', TextTransformations: [{ Priority: 0, Type: 'NONE' }] } },
    ],
    EvaluationWindowSec: 300,
  };
  const perAddress = { AggregateKeyType: 'IP', EvaluationWindowSec: 300 };

  test('counts requests per address, and per address and App-Id', () => {
    expect(rateLimits(protectedStage)).toEqual([
      { ...perAddressAndAppId, Limit: 2000 },
      { ...perAddress, Limit: 10_000 },
    ]);
  });

  test('has the limits of the settings', () => {
    const limits = { perAddress: 500, perAddressAndAppId: 40 };
    expect(rateLimits(templateFor({ webAcl: true, rateLimits: limits }))).toEqual([
      { ...perAddressAndAppId, Limit: 40 },
      { ...perAddress, Limit: 500 },
    ]);
  });

  test.each(['RatePerAddressAndAppId', 'RatePerAddress'])(
    '%s answers 429 in the envelope, as the OpenAPI document describes it',
    (name) => {
      const { ResponseCode, CustomResponseBodyKey } = rule(name).Action.Block.CustomResponse;
      const { ContentType, Content } =
        webAclOf(protectedStage).CustomResponseBodies[CustomResponseBodyKey];
      expect([ResponseCode, ContentType]).toEqual([429, 'APPLICATION_JSON']);
      // The limit of a custom response body: https://docs.aws.amazon.com/waf/latest/developerguide/limits.html
      expect(Buffer.byteLength(Content)).toBeLessThanOrEqual(4096);
      const body = JSON.parse(Content);
      expect(body.data).toMatchObject({ code: 'ThrottlingException', retryable: true });
      expect(responseDeviations('/promoCode/apply', 429, body)).toEqual([]);
    },
  );
});

test('pages of the allowed origins can read that they were limited', () => {
  const headersOf = (template: Template) =>
    rules(template)
      .filter(({ Statement }) => Statement.RateBasedStatement)
      .map(({ Action }) => Action.Block.CustomResponse.ResponseHeaders);
  expect(headersOf(protectedStage)).toEqual([undefined, undefined]);
  const open = templateFor({ webAcl: true, corsOrigins: ['https://shop.example.com'] });
  const [gatewayResponse] = Object.values(
    open.findResources('AWS::ApiGateway::GatewayResponse', {
      Properties: { ResponseType: 'THROTTLED' },
    }),
  );
  // The same headers as on the responses of the gateway, which quotes their values.
  const ofGateway = Object.entries<string>(gatewayResponse?.Properties.ResponseParameters).map(
    ([name, value]) => ({
      Name: name.replace('gatewayresponse.header.', ''),
      Value: value.slice(1, -1),
    }),
  );
  expect(ofGateway).toContainEqual({ Name: 'Access-Control-Allow-Origin', Value: '*' });
  expect(headersOf(open)).toEqual([ofGateway, ofGateway]);
});

describe('the managed rules', () => {
  test('are the common ones, known bad inputs, and addresses with a bad reputation', () => {
    const groups = rules(protectedStage).flatMap(
      ({ Statement }) => Statement.ManagedRuleGroupStatement ?? [],
    );
    expect(groups.map(({ VendorName, Name }) => `${VendorName} ${Name}`)).toEqual([
      'AWS AWSManagedRulesCommonRuleSet',
      'AWS AWSManagedRulesKnownBadInputsRuleSet',
      'AWS AWSManagedRulesAmazonIpReputationList',
    ]);
  });

  test.each([
    ['AWSManagedRulesCommonRuleSet', 'None', ['SizeRestrictions_BODY', 'NoUserAgent_HEADER']],
    ['AWSManagedRulesKnownBadInputsRuleSet', 'None', []],
    ['AWSManagedRulesAmazonIpReputationList', 'Count', []],
  ])('%s: what it finds has the action %s, and it only counts %j', (name, action, countOnly) => {
    const { OverrideAction, Statement } = rule(name);
    expect(OverrideAction).toEqual({ [action]: {} });
    expect(Statement.ManagedRuleGroupStatement.RuleActionOverrides).toEqual(
      countOnly.map((counted) => ({ Name: counted, ActionToUse: { Count: {} } })),
    );
  });
});

const visibility = (MetricName: string) => ({
  ...{ MetricName, CloudWatchMetricsEnabled: true, SampledRequestsEnabled: true },
});

test('its metrics are those of the stack: their dimension WebACL starts with its name', () => {
  expect(webAclOf(protectedStage).VisibilityConfig).toEqual(
    visibility('CustomerDataApi-test-WebAcl'),
  );
});

test('rate limits are checked before the managed rules, and each rule has a metric of its name and samples', () => {
  const inOrder = rules(protectedStage).map(({ Priority, Name, VisibilityConfig }) => [
    ...[Priority, Name, VisibilityConfig],
  ]);
  expect(inOrder).toEqual(
    [
      'RatePerAddressAndAppId',
      'RatePerAddress',
      'AWSManagedRulesCommonRuleSet',
      'AWSManagedRulesKnownBadInputsRuleSet',
      'AWSManagedRulesAmazonIpReputationList',
    ].map((name, priority) => [priority, name, visibility(name)]),
  );
});

test('samples of requests contain no token, no key and no device', () => {
  expect(webAclOf(protectedStage).DataProtectionConfig.DataProtections).toEqual([
    {
      Action: 'SUBSTITUTION',
      Field: {
        FieldType: 'SINGLE_HEADER',
        FieldKeys: ['authorization', 'app-id', 'device-id'],
      },
    },
  ]);
});

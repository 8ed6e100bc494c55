import { expect, test } from 'vitest';
import { EVERY_ALARM, templateOf, VARIANTS } from './variants.ts';

const TAGS = { team: 'loyalty', 'cost centre': '4711' };

/** CloudFormation has no tags for them. */
const WITHOUT_TAGS = [
  'ApiGateway::Account',
  'ApiGateway::BasePathMapping',
  'ApiGateway::Deployment',
  'ApiGateway::GatewayResponse',
  'ApiGateway::Method',
  'ApiGateway::Resource',
  'Cognito::UserPoolClient',
  'IAM::ManagedPolicy',
  'IAM::Policy',
  'Lambda::Alias',
  'Lambda::EventInvokeConfig',
  'Lambda::Permission',
  'Lambda::Version',
  'Logs::QueryDefinition',
  'Route53::RecordSet',
  'SNS::Subscription',
  'SNS::TopicPolicy',
  'SQS::QueuePolicy',
  'WAFv2::WebACLAssociation',
].map((name) => `AWS::${name}`);

/** The lists and maps of tags of a resource, as maps. */
function tagsIn(part: unknown): object[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => {
    if (!/^(?:Resource|UserPool)?Tags$/.test(name)) return tagsIn(value);
    if (!Array.isArray(value)) return [Object(value)];
    return [Object.fromEntries(value.map(({ Key, Value }) => [Key, Value]))];
  });
}

const hasAll = (tags: object) =>
  Object.entries(TAGS).every(([key, value]) => Object(tags)[key] === value);

test.each([
  ...Object.entries(VARIANTS),
  ['every alarm', { ...EVERY_ALARM, alarmRecipients: ['a@example.com'] }] as const,
])('with the settings of %s, whatever can have tags has those of the stage', (_, settings) => {
  const { Resources } = templateOf({ ...settings, tags: TAGS }).toJSON();
  const untagged = Object.values<{ Type: string; Properties?: object }>(Resources).filter(
    ({ Properties }) => !tagsIn(Properties).some((tags) => hasAll(tags)),
  );
  const types = new Set(untagged.map(({ Type }) => Type));
  expect([...types].filter((type) => !WITHOUT_TAGS.includes(type))).toEqual([]);
});

test('other tags make no new version of a function', () => {
  const versions = (tags: object) =>
    Object.keys(templateOf({ tags }).findResources('AWS::Lambda::Version'));
  expect(versions(TAGS)).toEqual(versions({ team: 'another' }));
});

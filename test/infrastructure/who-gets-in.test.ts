import { fileURLToPath } from 'node:url';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import { describe, expect, test } from 'vitest';
import { PROJECT } from '../support/documents/document.ts';
import { appFor } from '../support/stack.ts';
import { admits, type Request, resourcesWith } from '../support/who-gets-in.ts';
import { templateOf } from './variants.ts';

/* Whom the policies of resources and the trusts of roles admit. */

describe('the roles of the pipeline', () => {
  const stack = new Stack(appFor(), 'Pipeline');
  const templateFile = fileURLToPath(new URL('examples/pipeline/roles.yaml', PROJECT));
  new CfnInclude(stack, 'Roles', { templateFile });
  const template = Template.fromStack(stack).toJSON();

  const SUBJECTS = [
    'acme/configurations',
    'acme@7/configurations@99',
    // The names were given to somebody else.
    'acme@8/configurations@99',
    'acme@7/configurations@100',
    // Others of the owner, and others whose names begin or end alike.
    'acme@7/menus@100',
    'acme/configurations-2',
    'acme-evil/configurations',
    'evil/acme/configurations',
    'ACME/configurations',
    'acme/*',
    '*/*',
    'Acme_eu@7/menus.v2@99',
  ]
    .flatMap((repository) =>
      [
        'pull_request',
        'environment:production',
        'environment:production-2',
        'ref:refs/heads/main',
        '*',
      ].map((rest) => `repo:${repository}:${rest}`),
    )
    .concat('*', '');

  function admitted(role: string, parameters: Readonly<Record<string, string>>, more = {}) {
    const { [role]: found } = resourcesWith(template, {
      Repository: 'acme/configurations',
      ...parameters,
    });
    const request = (subject: string): Request => ({
      action: 'sts:AssumeRoleWithWebIdentity',
      principal: { Federated: 'GitHub' },
      context: {
        'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
        'token.actions.githubusercontent.com:sub': subject,
      },
      ...more,
    });
    return SUBJECTS.filter((one) =>
      admits(found?.Properties.AssumeRolePolicyDocument, request(one)),
    );
  }
  const IDS = { OwnerId: '7', RepositoryId: '99' };

  test.each([
    ['ReviewRole', {}, 'repo:acme/configurations:pull_request'],
    ['PublishRole', {}, 'repo:acme/configurations:environment:production'],
    ['ReviewRole', IDS, 'repo:acme@7/configurations@99:pull_request'],
    ['PublishRole', IDS, 'repo:acme@7/configurations@99:environment:production'],
  ])('%s with %o admits only %s', (role, parameters, subject) => {
    expect(admitted(role, parameters)).toEqual([subject]);
    for (const other of [
      { principal: { Federated: 'AnotherProvider' } },
      { principal: { AWS: 'arn:aws:iam::111111111111:root' } },
      { action: 'sts:AssumeRole' },
      { context: { 'token.actions.githubusercontent.com:sub': subject } },
    ]) {
      expect(admitted(role, parameters, other)).toEqual([]);
    }
  });

  test('what GitHub has in no subject is refused', () => {
    const ids = ['007', '0', '7 ', '@7', '*', 'acme'].map((id) => ({ ...IDS, OwnerId: id }));
    const names = ['https://github.com/acme/configurations', ' acme/configurations', 'acme/*'].map(
      (Repository) => ({ Repository }),
    );
    for (const parameters of [...ids, ...names]) {
      expect(() => admitted('ReviewRole', parameters), JSON.stringify(parameters)).toThrow(' is ');
    }
    const named = { ...IDS, Repository: 'Acme_eu/menus.v2' };
    expect(admitted('ReviewRole', named)).toEqual(['repo:Acme_eu@7/menus.v2@99:pull_request']);
  });

  test('one id without the other is refused', () => {
    for (const [name, value] of Object.entries(IDS)) {
      expect(() => admitted('ReviewRole', { [name]: value })).toThrow('belong together');
    }
  });
});

describe('the topics of the stack', () => {
  const [OWN, OTHER] = ['123456789012', '210987654321'];

  /** The services that may publish to the topics: `Page cloudwatch`. */
  function publishing(account: string | undefined, secure = 'true'): string[] {
    const alarmRecipients = { page: ['a@example.com'], inform: ['b@example.com'] };
    const { Resources } = templateOf({ alarmRecipients }).toJSON();
    const resources = resourcesWith({ Resources }, { 'AWS::AccountId': OWN });
    const policies = Object.values(resources).filter(
      ({ Type }) => Type === 'AWS::SNS::TopicPolicy',
    );
    expect(policies).toHaveLength(2);
    return policies.flatMap(({ Properties: { PolicyDocument, Topics } }) =>
      ['cloudwatch', 'events', 's3'].flatMap((service) => {
        const context = {
          ...(account && { 'aws:SourceAccount': account }),
          'aws:SecureTransport': secure,
        };
        const principal = { Service: `${service}.amazonaws.com` };
        const request = { action: 'sns:Publish', principal, resource: Topics[0], context };
        const [, name] = /Recipients(Page|Inform)/.exec(Topics[0]) ?? [];
        return admits(PolicyDocument, request) ? [`${name} ${service}`] : [];
      }),
    );
  }

  test('take alarms of the account', () => {
    expect(publishing(OWN).sort()).toEqual(['Inform cloudwatch', 'Page cloudwatch']);
    expect(publishing(OTHER)).toEqual([]);
    expect(publishing(undefined)).toEqual([]);
    expect(publishing(OWN, 'false')).toEqual([]);
  });
});

import { fileURLToPath } from 'node:url';
import { DefaultStackSynthesizer, type IStackSynthesizer, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import { describe, expect, test } from 'vitest';
import { PROJECT } from '../support/documents/document.ts';
import { appFor } from '../support/stack.ts';
import { admits, type Request, resourcesWith } from '../support/who-gets-in.ts';

/* Whom the policies of resources and the trusts of roles admit. */

describe('the roles of the pipeline', () => {
  const synthesizer = new DefaultStackSynthesizer({ generateBootstrapVersionRule: false });
  const stack = new Stack(appFor(), 'Pipeline', {
    // The CDK's types need this with `exactOptionalPropertyTypes`.
    synthesizer: synthesizer as IStackSynthesizer,
  });
  const templateFile = fileURLToPath(new URL('examples/pipeline/roles.yaml', PROJECT));
  new CfnInclude(stack, 'Roles', { templateFile });
  const template = Template.fromStack(stack).toJSON();

  const SUBJECTS = [
    'acme/configurations',
    'acme@7/configurations@99',
    // The names were given to somebody else.
    'acme@8/configurations@99',
    'acme@7/configurations@100',
    'acme@7/configurations',
    // Others of the owner, and others whose names begin or end alike.
    'acme/menus',
    'acme@7/menus@100',
    'acme/configurations-2',
    'acme@7/configurations@999',
    'acme-evil/configurations',
    'acme-evil@7/configurations@99',
    'evil/acme/configurations',
    'ACME/configurations',
    'acme/*',
    '*/*',
  ]
    .flatMap((repository) =>
      [
        'pull_request',
        'environment:production',
        'environment:production-2',
        'environment:Production',
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

  test('one id without the other is refused', () => {
    for (const [name, value] of Object.entries(IDS)) {
      expect(() => admitted('ReviewRole', { [name]: value })).toThrow('belong together');
    }
  });
});

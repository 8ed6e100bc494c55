import type { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { Guests } from '../../examples/guests/guests.ts';
import { appFor } from '../support/stack.ts';
import { admits, permissionsIn, resourcesWith } from '../support/who-gets-in.ts';

/* The example of guests, as somebody who copied it deploys it. */

const PROPS = { userPoolId: 'eu-central-1_AbCdEfGhI', appClientId: 'app', guest: 'guest' };
const guests = (app: App, more = {}) => new Guests(app, 'Guests', { ...PROPS, ...more });
const template = Template.fromStack(guests(appFor())).toJSON();
const resources = resourcesWith(template, { 'AWS::Partition': 'aws' });
const ofType = (type: string) =>
  Object.entries(resources).flatMap(([id, { Type, Properties }]) =>
    Type === `AWS::${type}` ? [{ id, ...Properties }] : [],
  );

test('the function may read its secret, sign in to its user pool and log, and no more', () => {
  const pool = 'arn:aws:cognito-idp:AWS::Region:AWS::AccountId:userpool/eu-central-1_AbCdEfGhI';
  expect(permissionsIn(template)).toEqual(
    [
      `cognito-idp:AdminInitiateAuth ${pool}`,
      'logs:CreateLogStream Logs',
      'logs:PutLogEvents Logs',
      'secretsmanager:GetSecretValue Password',
    ].map((one) => expect.stringContaining(one)),
  );
});

test('only Lambda can take its role', () => {
  const [{ AssumeRolePolicyDocument }] = ofType('IAM::Role');
  const taking = ['lambda', 'edgelambda', 'events', 'ec2'].filter((service) =>
    admits(AssumeRolePolicyDocument, {
      action: 'sts:AssumeRole',
      principal: { Service: `${service}.amazonaws.com` },
    }),
  );
  expect(taking).toEqual(['lambda']);
});

test('everybody may call the address, and nobody may invoke the function past it', () => {
  const permissions = ofType('Lambda::Permission').map(
    ({ Action, Principal, FunctionUrlAuthType, InvokedViaFunctionUrl }) => ({
      Action,
      Principal,
      isOfUrl: FunctionUrlAuthType === 'NONE' || InvokedViaFunctionUrl === true,
    }),
  );
  expect(permissions).toEqual(
    ['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction'].map((Action) => ({
      Action,
      Principal: '*',
      isOfUrl: true,
    })),
  );
});

test('neither the template nor a variable has the password', () => {
  const [{ Environment }] = ofType('Lambda::Function');
  expect(Object.keys(Environment.Variables)).toEqual(
    expect.arrayContaining(['APP_CLIENT_ID', 'GUEST', 'PASSWORD_SECRET', 'USER_POOL_ID']),
  );
  const [{ SecretString }] = ofType('SecretsManager::Secret');
  expect(SecretString).toBeUndefined();
});

test('a page may read the token only from an origin that is named', () => {
  expect(ofType('Lambda::Url')[0].Cors).toBeUndefined();
  const origins = ['https://shop.example'];
  Template.fromStack(guests(appFor(), { origins })).hasResourceProperties('AWS::Lambda::Url', {
    Cors: { AllowOrigins: origins, AllowMethods: ['GET'] },
  });
});

test('it breaks no rule of cdk-nag', () => {
  const { violations } = new AwsSolutionsChecks().validateScope(guests(appFor()));
  expect(violations.map(({ ruleName }) => ruleName)).toEqual([]);
});

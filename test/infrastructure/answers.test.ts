import type { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { Answers } from '../../examples/answers/answers.ts';
import { appFor } from '../support/stack.ts';
import { permissionsIn } from '../support/who-gets-in.ts';

/* The example that stores answers, as somebody who copied it deploys it. */

const PROPS = {
  apiUrl: 'https://api.example',
  userPoolId: 'eu-central-1_AbCdEfGhI',
  userPoolClientId: 'app',
  userIdClaim: 'sub',
  appId: 'key',
};
const answers = (app: App, more = {}) => new Answers(app, 'Answers', { ...PROPS, ...more });
const template = Template.fromStack(answers(appFor()));

test('the function may use its own two tables and log, and no more', () => {
  const own = ['GetItem Answers', 'UpdateItem Answers', 'GetItem Config', 'PutItem Config'];
  expect(permissionsIn(template.toJSON()).toSorted()).toEqual(
    [...own.map((one) => `dynamodb:${one}`), 'logs:CreateLogStream Logs', 'logs:PutLogEvents Logs']
      .toSorted()
      .map((one) => expect.stringContaining(one)),
  );
});

test('a page may call it only from an origin that is named', () => {
  const api = (stack: Template) => Object.values(stack.findResources('AWS::ApiGatewayV2::Api'))[0];
  expect(api(template)?.Properties.CorsConfiguration).toBeUndefined();
  const origins = ['https://shop.example'];
  const named = Template.fromStack(answers(appFor(), { origins }));
  expect(api(named)?.Properties.CorsConfiguration.AllowOrigins).toEqual(origins);
});

test('it breaks no rule of cdk-nag', () => {
  const { violations } = new AwsSolutionsChecks().validateScope(answers(appFor()));
  expect(violations.map(({ ruleName }) => ruleName)).toEqual([]);
});

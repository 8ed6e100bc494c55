import { expect, test } from 'vitest';
import { exactResponseDeviations } from '../../openapi/validation.ts';
import { EVERY_ALARM, goldenOf, VARIANTS } from './variants.ts';

/*
 * What values of the template have to do with each other, with the OpenAPI document and with limits
 * of AWS.
 */

// biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own properties
type Properties = any;

const template = goldenOf({ ...VARIANTS.endpoint });
const propertiesOf = (type: string): Properties[] =>
  Object.values<Properties>(template).flatMap(({ Type, Properties }) =>
    Type === `AWS::${type}` ? [Properties] : [],
  );

/** The answers that no function gives: their origin, their status and their body. */
const answers: [origin: string, status: number, body: Properties][] = [];
for (const { ResponseType, StatusCode, ResponseTemplates } of propertiesOf(
  'ApiGateway::GatewayResponse',
)) {
  answers.push([ResponseType, Number(StatusCode), ResponseTemplates['application/json']]);
}
for (const { HttpMethod, Integration } of propertiesOf('ApiGateway::Method')) {
  if (HttpMethod !== 'ANY') continue;
  for (const { StatusCode, ResponseTemplates } of Integration.IntegrationResponses) {
    answers.push(['other methods', Number(StatusCode), ResponseTemplates['application/json']]);
  }
}
for (const { Rules, CustomResponseBodies } of propertiesOf('WAFv2::WebACL')) {
  for (const { Name, Action } of Rules) {
    const { ResponseCode, CustomResponseBodyKey: key } = Action?.Block.CustomResponse ?? {};
    if (ResponseCode) answers.push([Name, ResponseCode, CustomResponseBodies[key].Content]);
  }
}

test.each(answers)(
  '%s: the body of %i is the one that the OpenAPI document describes',
  (_, status, body) => {
    expect(exactResponseDeviations('/promoCode/apply', status, body)).toEqual([]);
    expect(body.data.statusCode).toBe(status);
    // API Gateway would replace variables and directives, and AWS WAF accepts no more. It also
    // accepts no charset, which ASCII does not need.
    expect(JSON.stringify(body)).toMatch(/^[ !"%-~]{1,4096}$/);
  },
);

test('the gateway, its mocks and the web ACL give such answers', () => {
  const origins = answers.map(([origin]) => origin);
  expect(origins).toEqual(expect.arrayContaining(['THROTTLED', 'other methods', 'RatePerAddress']));
});

/** The texts that name resources: in statements of policies, and in permissions of functions. */
function namesIn(value: Properties, isName = false): string[] {
  if (typeof value === 'string') return isName ? [value] : [];
  return Object.entries(Object(value)).flatMap(([key, part]) =>
    namesIn(part, isName || /^(?:Not)?(?:Resource|Condition|Principal)$|^SourceArn$/.test(key)),
  );
}

test.each(Object.entries({ ...VARIANTS, everyAlarm: EVERY_ALARM }))(
  '%s: no policy names a resource of another stage, even if its name begins with that of the stage',
  (_, settings) => {
    const patterns = namesIn(goldenOf(settings)).filter((name) => /[*?]/.test(name));
    expect(patterns.filter((name) => name.includes('STAGE'))).not.toEqual([]);
    // Names of stages have these characters.
    expect(patterns.filter((name) => /STAGE[a-z0-9-]*[*?]/.test(name))).toEqual([]);
    // The other wildcards are about what has no name, about topics and mute rules, which belong to
    // no stage, and about what is in a resource of this stage.
    const others = patterns.filter((name) => !name.includes('STAGE'));
    expect(
      others.filter(
        (name) =>
          !/^\*$|:(?:sns:\S*|alarm-mute-rule):\*$|:deploymentgroup:\$\{LiveVersionsApplication\}\/\*$/.test(
            name,
          ),
      ),
    ).toEqual([]);
  },
);

test('each policy for operators fits into a managed policy, with the longest names', () => {
  const stack = 'CustomerDataApi-'.padEnd(36, 'x');
  const fixed = { Partition: 'aws-us-gov', Region: 'ap-southeast-1', AccountId: '123456789012' };
  const policies = Object.values<Properties>(goldenOf(EVERY_ALARM)).filter(
    ({ Type }) => Type === 'AWS::IAM::ManagedPolicy',
  );
  expect(policies).toHaveLength(3);
  for (const { Properties } of policies) {
    const document = JSON.stringify(Properties.PolicyDocument)
      .replaceAll(/\$\{AWS::(\w+)\}/g, (_, name: keyof typeof fixed) => fixed[name])
      .replaceAll(/\$\{(\w+)(\.\w*Arn)?\}/g, (_, id, arn) =>
        // A table's ARN has the longest beginning, and a name two random parts.
        ''.padEnd(
          `${arn ? 'arn:aws-us-gov:dynamodb:ap-southeast-1:123456789012:table/' : ''}${stack}-${id}`
            .length + 21,
          'x',
        ),
      )
      .replaceAll('CustomerDataApi-STAGE', stack);
    expect(document.length).toBeLessThanOrEqual(6144);
  }
});

test('the access log contains nothing that the caller sent', () => {
  const [{ AccessLogSetting }] = propertiesOf('ApiGateway::Stage');
  const variables = Object.values<string>(AccessLogSetting.Format);
  expect(variables.length).toBeGreaterThan(10);
  for (const variable of variables) {
    expect(variable).toMatch(/^\$context\./);
    expect(variable).not.toMatch(/identity|authorizer|override|\.path$|input|protocol/);
  }
});

test('a message in flight is not delivered again, and failing ones are retried for three hours', () => {
  const [queue] = propertiesOf('SQS::Queue').filter(({ RedrivePolicy }) => RedrivePolicy);
  const timeouts = propertiesOf('Lambda::Function').map(({ Timeout }) => Timeout);
  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
  expect(queue.VisibilityTimeout).toBeGreaterThanOrEqual(6 * Math.max(...timeouts));
  const attempts = queue.RedrivePolicy.maxReceiveCount;
  expect(attempts * queue.VisibilityTimeout).toBeGreaterThan(3 * 60 * 60);
});

test('a flood of getConfig leaves most of the account to promoCode/apply', () => {
  const [{ MethodSettings }] = propertiesOf('ApiGateway::Stage');
  const limited = MethodSettings.filter(({ ResourcePath }: Properties) => ResourcePath !== '/*');
  let [requests, functions] = [0, 0];
  for (const { ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit } of limited) {
    expect(ResourcePath).toContain('getConfig');
    requests += ThrottlingRateLimit;
    // A function starts within 0.3 s.
    functions += ThrottlingBurstLimit + 0.3 * ThrottlingRateLimit;
  }
  expect(limited.length).toBe(1);
  // Less than the quotas of an account: 10,000 requests per second, 1,000 concurrent functions.
  expect(requests).toBeLessThanOrEqual(500);
  expect(functions).toBeLessThanOrEqual(400);
});

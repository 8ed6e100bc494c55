import { CfnResource, type Stack } from 'aws-cdk-lib';
import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { SettingsError } from './settings/settings.ts';

/**
 * The limit of all variables of a function together, names and values, in bytes.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const ENVIRONMENT_BYTES = 4096;
/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html */
const ALARM = { characters: 1024, actions: 5 };

type Join = [separator: string, parts: unknown[]];

/** The longest values of references, as CloudFormation makes them. */
const LONGEST: Readonly<Record<string, string>> = {
  'AWS::Region': 'ap-southeast-1',
  'AWS::URLSuffix': 'amazonaws.com.cn',
  'AWS::Cognito::UserPool': 'ap-southeast-1_AbCdEfGhI',
  'AWS::Cognito::UserPoolClient': '1h57kf5cpq17m0eml12EXAMPLE',
  'AWS::SQS::Queue': 'https://sqs.ap-southeast-1.amazonaws.com.cn/123456789012/',
};
/** Matches the end of a generated name, after the name of the stack and the logical id. */
const SUFFIX = '-1234567890ABC';

/**
 * Checks the limits of AWS that settings exceed together, such as lists that share the variables of
 * a function.
 *
 * @throws SettingsError with the settings that need to be shorter.
 */
export function checkLimits(stack: Stack): void {
  const resources = stack.node.findAll().filter((construct) => construct instanceof CfnResource);
  const types = new Map(
    resources.map((resource) => [stack.resolve(resource.logicalId), resource.cfnResourceType]),
  );
  const largest = (measure: (resource: CfnResource) => number) =>
    Math.max(...resources.map(measure));
  const bytes = largest((resource) => {
    if (!(resource instanceof CfnFunction)) return 0;
    const { variables = {} } = stack.resolve(resource.environment) ?? {};
    const texts = Object.entries(variables).flat();
    return Buffer.byteLength(texts.map((text) => deployed(stack, text, types)).join(''));
  });
  const characters = largest((resource) =>
    resource instanceof CfnAlarm ? String(stack.resolve(resource.alarmDescription)).length : 0,
  );
  const actions = largest((resource) =>
    resource instanceof CfnAlarm ? (stack.resolve(resource.alarmActions)?.length ?? 0) : 0,
  );
  const problems = [
    ...(bytes > ENVIRONMENT_BYTES
      ? [
          `appClients, userPoolClientIds and corsOrigins are together ${bytes - ENVIRONMENT_BYTES} bytes too long: the variables of a function have at most ${ENVIRONMENT_BYTES}`,
        ]
      : []),
    ...(characters > ALARM.characters
      ? [
          `runbookUrl is ${characters - ALARM.characters} characters too long: the description of an alarm has at most ${ALARM.characters}`,
        ]
      : []),
    ...(actions > ALARM.actions
      ? [
          `alarmRecipients has too many topics: an alarm has at most ${ALARM.actions}, and all e-mail addresses together need one`,
        ]
      : []),
  ];
  if (problems.length > 0) {
    throw new SettingsError(problems.map((problem) => `Settings: ${problem}.`).join('\n'));
  }
}

/**
 * Returns a resolved value as long as it can be once it is deployed, but for a few characters: a
 * reference becomes the longest value that CloudFormation can give it.
 */
function deployed(stack: Stack, value: unknown, types: ReadonlyMap<string, string>): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { Ref: id = '', 'Fn::Join': join } = value as { Ref?: string; 'Fn::Join'?: Join };
  if (join) return join[1].map((part) => deployed(stack, part, types)).join(join[0]);
  const type = types.get(id) ?? id;
  const generated = `${stack.stackName}-${id}${SUFFIX}`;
  if (type === 'AWS::SQS::Queue') return `${LONGEST[type]}${generated}`;
  return LONGEST[type] ?? generated;
}

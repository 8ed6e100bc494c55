import { Stack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { SettingsError } from '../settings/settings.ts';

/**
 * Calls a function when one of some alarms goes on.
 *
 * @param changing what names of alarms start with that the next release changes: a version follows.
 * @throws SettingsError if one of the alarms has such a name.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-and-eventbridge.html
 */
export function callOnAlarm(
  scope: Construct,
  lambda: IFunction,
  alarms: readonly string[],
  changing: readonly string[],
): void {
  const isChanging = (name: string) =>
    changing.some((start) => name.startsWith(start) && /^\d+$/.test(name.slice(start.length)));
  const refused = alarms.find(isChanging);
  if (refused !== undefined) {
    throw new SettingsError(
      `The setting rolloutAlarms must not name ${refused}: it is an alarm of one version of a function, and the next release has another one. Name an alarm that stays.`,
    );
  }
  const { partition, region, account } = Stack.of(scope);
  new Rule(scope, 'RolloutAlarmGoesOn', {
    eventPattern: {
      source: ['aws.cloudwatch'],
      detailType: ['CloudWatch Alarm State Change'],
      resources: alarms.map(
        (name) => `arn:${partition}:cloudwatch:${region}:${account}:alarm:${name}`,
      ),
      detail: { state: { value: ['ALARM'] } },
    },
    targets: [new LambdaFunction(lambda)],
  });
}

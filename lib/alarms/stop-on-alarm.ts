import { Stack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/**
 * Calls a function when one of some alarms goes on.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-and-eventbridge.html
 */
export function callOnAlarm(scope: Construct, lambda: IFunction, alarms: readonly string[]): void {
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

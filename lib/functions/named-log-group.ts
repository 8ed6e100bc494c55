import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** A log group with a fixed name. */
export class NamedLogGroup extends LogGroup {
  /** @param removalPolicy decides whether the logs are deleted with the stack. */
  constructor(scope: Construct, id: string, logGroupName: string, removalPolicy: RemovalPolicy) {
    super(scope, id, {
      logGroupName,
      // Otherwise a failed first deployment leaves a group behind, whose name blocks the next one.
      removalPolicy:
        removalPolicy === RemovalPolicy.RETAIN
          ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
          : removalPolicy,
    });
  }
}

import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** A log group with a name of its own. It keeps its lines for a month. */
export class NamedLogGroup extends LogGroup {
  /** @param removalPolicy decides if the logs are deleted with the stack. */
  constructor(scope: Construct, id: string, logGroupName: string, removalPolicy: RemovalPolicy) {
    super(scope, id, {
      logGroupName,
      retention: RetentionDays.ONE_MONTH,
      // A first deployment that fails leaves no group behind whose name would make the next one
      // fail.
      removalPolicy:
        removalPolicy === RemovalPolicy.RETAIN
          ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
          : removalPolicy,
    });
  }
}

import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { functionLogGroup } from '../../core/function-names.ts';
import { NAMESPACE } from '../alarms/metrics.ts';
import { bundle } from '../bundle/bundle.ts';

const TRACES = {
  id: 'AwsSolutions-IAM5[Resource::*]',
  reason: 'X-Ray has no resource to which the permission to send traces could be limited.',
};

/** The properties that differ between the functions of the service. */
export interface ServiceFunctionProps {
  /** The folder under `functions/`. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMegabytes: number;
  /** Concurrent executions reserved for this function, which is also its limit. */
  readonly reservedConcurrency: number | undefined;
}

/** A Lambda function of the service. */
export class ServiceFunction extends LambdaFunction {
  /** The service name in logs and metrics. */
  readonly folder: string;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { folder, environment, memoryMegabytes, reservedConcurrency } = props;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      // A name that those on call know without looking at the stack. It is static, so that a new
      // deployment of the stack can import the log group that a deleted one left behind:
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
      logGroupName: functionLogGroup(Stack.of(scope).stackName, id),
    });
    // The managed policy of the default role may write to every log group of the account.
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    logGroup.grantWrite(role);
    super(scope, id, {
      code: bundle(folder),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes,
      timeout: Duration.seconds(20),
      ...(reservedConcurrency && { reservedConcurrentExecutions: reservedConcurrency }),
      environment: {
        ...environment,
        POWERTOOLS_METRICS_NAMESPACE: NAMESPACE,
        POWERTOOLS_SERVICE_NAME: folder,
      },
      // Without the X-Ray SDK, which takes 13 ms to load and hooks into every promise. Lambda and
      // the gateway report their parts.
      tracing: Tracing.ACTIVE,
      loggingFormat: LoggingFormat.JSON,
      // Omits the lines about each invocation's start and end, which a flood would multiply.
      systemLogLevelV2: SystemLogLevel.WARN,
      logGroup,
      role,
    });
    this.folder = folder;
    Validations.of(this).acknowledge(TRACES);
    Validations.of(role).acknowledge(TRACES);
  }
}

import { basename } from 'node:path';
import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { FUNCTION_TIMEOUT_SECONDS } from '../../core/runtime/timeout.ts';
import { functionLogGroup, NAMESPACE } from '../../functions/background-functions.ts';
import { bundle } from '../bundle/bundle.ts';

const TRACES = {
  id: 'AwsSolutions-IAM5[Resource::*]',
  reason: 'X-Ray has no resource to which the permission to send traces could be limited.',
};

/*
 * Lambda refuses a second version of a function that has not changed, and CloudFormation publishes
 * one whenever the version's id in the template changes. The CDK derives this id from the text of
 * the properties. That of `Code` has the bucket, whose name changes with `account`, `region`, the
 * bootstrap qualifier or the CDK while the code stays the same. The hash of the code replaces it.
 * https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html
 */
LambdaFunction.classifyVersionProperty('Code', false);

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
      // Also part of the version. Without it, a version's id would differ from that of releases up
      // to 0.1.0, whose id includes `Code`, while a function with the same code would be the same.
      description: `customer-data-api ${folder}`,
      code: bundle(folder),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes,
      timeout: Duration.seconds(FUNCTION_TIMEOUT_SECONDS),
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
    const { code } = this.node.defaultChild as CfnFunction;
    this.invalidateVersionBasedOn(basename(this.stack.resolve(code).s3Key));
    Validations.of(this).acknowledge(TRACES);
    Validations.of(role).acknowledge(TRACES);
  }
}

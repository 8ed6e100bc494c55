import { fileURLToPath } from 'node:url';
import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { EnvironmentVariable } from '../functions/http/environment.ts';

/** What differs between the functions of the API. */
export interface ApiFunctionProps {
  /** The folder of the operation under `functions/`; also its service name in logs and metrics. */
  readonly operation: string;
  readonly environment: Partial<Record<EnvironmentVariable, string>>;
  /** What becomes of the logs when the stack is deleted. */
  readonly removalPolicy: RemovalPolicy;
}

const path = (relative: string) => fileURLToPath(new URL(`../${relative}`, import.meta.url));

/** A Lambda function that serves one operation of the API. */
export class ApiFunction extends NodejsFunction {
  constructor(scope: Construct, id: string, props: ApiFunctionProps) {
    const { operation, environment, removalPolicy } = props;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy,
    });
    // Without the managed policy that Lambda roles get by default: it may write to every log group of the account.
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    logGroup.grantWrite(role);
    super(scope, id, {
      entry: path(`functions/${operation}/handler.ts`),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      timeout: Duration.seconds(20),
      environment: {
        ...environment,
        NODE_OPTIONS: '--enable-source-maps',
        POWERTOOLS_METRICS_NAMESPACE: 'CustomerDataApi',
        POWERTOOLS_SERVICE_NAME: operation,
      },
      awsSdkConnectionReuse: false, // a variable for version 2 of the SDK
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      role,
      bundling: {
        format: OutputFormat.ESM,
        target: 'node24',
        minify: true,
        sourceMap: true,
        sourcesContent: false,
        bundleAwsSDK: true,
        // The ES module builds of the dependencies lose more of what is not used: 342 KB instead of 526.
        mainFields: ['module', 'main'],
        esbuildArgs: {
          '--alias:@aws-sdk/credential-provider-node': path(
            'functions/http/environment-credentials.ts',
          ),
        },
      },
    });
  }
}

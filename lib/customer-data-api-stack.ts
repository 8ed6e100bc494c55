import { isDeepStrictEqual } from 'node:util';
import {
  Annotations,
  type App,
  Aspects,
  Aws,
  CfnOutput,
  Duration,
  RemovalPolicies,
  RemovalPolicy,
  Stack,
  Validations,
} from 'aws-cdk-lib';
import { EndpointType, LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnUserPool, CfnUserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { CfnGlobalTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnQueue, type IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import {
  type Environment,
  type EnvironmentVariable,
  PLATFORM_ENVIRONMENT,
} from '../core/runtime/environment.ts';
import { checkPromoEvents } from '../functions/check-promo-events/definition.ts';
import { getConfig } from '../functions/get-config/operation.ts';
import { functionName, type Operation, type Resource } from '../functions/http/operation.ts';
import { NO_ORIGINS } from '../functions/middlewares/cors.ts';
import { OPERATIONS } from '../functions/operations.ts';
import { recordConfigurationVersions } from '../functions/record-configuration-versions/definition.ts';
import { storeQueuedPromoEvents } from '../functions/store-queued-promo-events/definition.ts';
import packageJson from '../package.json' with { type: 'json' };
import { Alarms } from './alarms/alarms.ts';
import { addCanary } from './alarms/canary.ts';
import type { Monitored } from './alarms/monitored.ts';
import { ScheduledCaller } from './alarms/scheduled-caller.ts';
import { accessLogOptions, addExecutionLogGroup, EXECUTION_LOG } from './api/access-logs.ts';
import { answerPreflights, gatewayCorsHeaders } from './api/cors.ts';
import { CustomDomain } from './api/custom-domain.ts';
import { addGatewayResponses } from './api/gateway-responses.ts';
import { refuseOtherMethods } from './api/method-not-allowed.ts';
import { throttlingOptions } from './api/throttling.ts';
import { requireTls } from './api/tls.ts';
import { ISSUERS, Users } from './api/user-pool.ts';
import { WebAcl } from './api/web-acl.ts';
import { ConfigurationHistory } from './dynamodb/configuration-history.ts';
import { Tables } from './dynamodb/tables.ts';
import {
  CHECKING_FUNCTION,
  QUEUE_FUNCTION,
  RECORDING_FUNCTION,
} from './functions/function-names.ts';
import { GradualDeployment } from './functions/gradual-deployment.ts';
import { ServiceFunction } from './functions/service-function.ts';
import { checkLimits } from './limits.ts';
import { StageDashboard } from './monitoring/dashboard.ts';
import { SavedQueries } from './monitoring/saved-queries.ts';
import { OperatorPolicies } from './operators/operator-policies.ts';
import { PromoEventsBus } from './promo-events/bus.ts';
import { checkStream } from './promo-events/promo-events-check.ts';
import { PromoEventsQueue } from './promo-events/queue.ts';
import { RATE_LIMITS } from './settings/capacity.ts';
import { readStage, type Stage } from './settings/stage-file.ts';

/**
 * Adds the stack of a stage, which the app's context names.
 *
 * @throws SettingsError if there is no such stage, or a setting is invalid or unknown.
 */
export function addCustomerDataApiStack(app: App): CustomerDataApiStack {
  const stage = readStage(app.node.getAllContext());
  return new CustomerDataApiStack(app, `CustomerDataApi-${stage.name}`, stage);
}

/** AWS Solutions rules broken on purpose: https://github.com/cdklabs/cdk-nag/blob/main/RULES.md */
const ACKNOWLEDGED_RULES = [
  ...['AwsSolutions-APIG4', 'AwsSolutions-COG4'].map((id) => ({
    id,
    reason:
      'The functions verify the token: a gateway authorizer can neither distinguish an expired token from a forged one nor give the reason for a refusal.',
  })),
  {
    id: 'AwsSolutions-APIG2',
    reason:
      'The functions validate the body and report every problem in it. The gateway would only respond "Invalid request body".',
  },
];

/** For a stage without access logs. */
const NO_ACCESS_LOGS = ['AwsSolutions-APIG1', 'AwsSolutions-APIG6'].map((id) => ({
  id,
  reason:
    'The setting accessLogs is off. The functions log every failed request, and metrics of the gateway count those that it rejects.',
}));

/** For the role of the gateway's logs. */
const GATEWAY_LOG_ROLE = {
  id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
  reason:
    'API Gateway has one role for the logs of all APIs of the account, and AWS maintains the policy for it.',
};

/** For a stage without a web ACL. */
const NO_WEB_ACL = {
  id: 'AwsSolutions-APIG3',
  reason:
    'The setting webAcl says that the stage has none: it is an experiment, or another stack associates a web ACL that several APIs share.',
};

/** How long the application of a repetition may be missing before it is an alarm. */
const CHECK_AFTER = Duration.minutes(2);

/** What outlives the stack with `retainData`. Installed apps contain the id of their app client. */
const DATA_TYPES = [CfnGlobalTable, CfnQueue, CfnUserPool, CfnUserPoolClient].map(
  ({ CFN_RESOURCE_TYPE_NAME }) => CFN_RESOURCE_TYPE_NAME,
);

/** The stack of one stage: API, functions, tables, queues, event bus and user pool. */
export class CustomerDataApiStack extends Stack {
  /** @throws SettingsError if settings exceed a limit of AWS together. */
  constructor(scope: Construct, id: string, stage: Stage) {
    const { name: stageName, settings } = stage;
    const { account, region, retainData } = settings;
    super(scope, id, {
      env: { ...(account && { account }), ...(region && { region }) },
      description: 'customer-data-api: customer data configuration and promo codes for mobile apps',
      terminationProtection: retainData,
      tags: settings.tags,
    });
    Aspects.of(this).add({
      visit: (node) => {
        if (node instanceof CfnLogGroup) node.retentionInDays = settings.logRetentionDays;
      },
    });
    // Some constructs of the CDK retain by default, others destroy: these do what the setting says.
    RemovalPolicies.of(this).apply(retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY, {
      applyToResourceTypes: DATA_TYPES,
    });
    RemovalPolicies.of(this).apply(
      // Otherwise a failed first deployment leaves a group behind, whose name blocks the next one.
      retainData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
      { applyToResourceTypes: [CfnLogGroup.CFN_RESOURCE_TYPE_NAME] },
    );
    const tables = new Tables(this, 'Tables', settings);
    const queue = new PromoEventsQueue(this, 'PromoEventsQueue');
    const bus = new PromoEventsBus(this, 'PromoEventsBus', tables.promoEvents);
    const history = new ConfigurationHistory(this, 'ConfigurationHistory', tables.configs);
    const users = new Users(this, 'Users', settings);
    const environment: Environment = {
      CHECK_AFTER_SECONDS: CHECK_AFTER.toSeconds(),
      CONFIGS_TABLE_NAME: tables.configs.tableName,
      CONFIG_CACHE_SECONDS: settings.configCacheSeconds,
      CONFIG_VERSIONS_TABLE_NAME: tables.configVersions.tableName,
      CORS_ORIGINS: [settings.corsOrigins ?? NO_ORIGINS].flat().join(','),
      DYNAMODB_ENDPOINT: `https://dynamodb.${Aws.REGION}.${Aws.URL_SUFFIX}`,
      ERASURES_TABLE_NAME: tables.erasures.tableName,
      LOG_INTERVAL_SECONDS: 5,
      PROMO_EVENTS_QUEUE_URL: queue.queue.queueUrl,
      PROMO_EVENTS_TABLE_NAME: tables.promoEvents.tableName,
      PROMO_EVENT_RETENTION_DAYS: settings.promoEventRetentionDays ?? 0,
      REQUEST_DATE_WINDOW_SECONDS: settings.requestDateWindowSeconds,
      REQUIRE_USER_POOL_CLIENT_IDS: settings.requireUserPoolClientIds,
      STAGE_NAME: stageName,
      USER_ID_CLAIM: settings.userIdClaim,
      USER_POOL_CLIENT_IDS: users.userPoolClientIds.join(','),
      USER_POOL_ID: users.userPoolId,
      USER_POOL_ISSUER: ISSUERS[settings.userPoolIssuer ?? 'original'],
    };
    const resources: Record<Resource, Pick<IQueue, 'grant'>> = {
      configs: tables.configs,
      configVersions: tables.configVersions,
      erasures: tables.erasures,
      promoEvents: tables.promoEvents,
      promoEventsQueue: queue.queue,
    };
    const addFunction = (
      functionId: string,
      definition: Pick<Operation, 'folder' | 'environment' | 'grants'>,
    ): ServiceFunction => {
      const serviceFunction = new ServiceFunction(this, functionId, {
        folder: definition.folder,
        environment: pick(environment, [...PLATFORM_ENVIRONMENT, ...definition.environment]),
        memoryMegabytes: settings.memoryMegabytes,
        reservedConcurrency: settings.reservedConcurrency[functionId],
      });
      for (const [resource, actions] of Object.entries(definition.grants)) {
        resources[resource as Resource].grant(serviceFunction, ...actions);
      }
      return serviceFunction;
    };

    const versions = new GradualDeployment(this, 'LiveVersions', stage);
    const api = new RestApi(this, 'Api', {
      restApiName: id,
      // An edge-optimized endpoint puts CloudFront in front, which has error pages of its own.
      endpointTypes: [EndpointType.REGIONAL],
      deployOptions: {
        stageName,
        tracingEnabled: true,
        ...throttlingOptions(settings, settings.accessLogs ? EXECUTION_LOG : {}),
        ...(settings.accessLogs && accessLogOptions(this)),
      },
      cloudWatchRole: settings.gatewayLogRole === 'new',
      ...(settings.gatewayLogRole === 'new' && {
        cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      }),
      disableExecuteApiEndpoint: settings.customDomain !== undefined,
    });
    requireTls(api);
    if (settings.accessLogs) addExecutionLogGroup(api, stageName);
    api.node.tryRemoveChild('Endpoint'); // The output ApiUrl replaces it.
    const operations = OPERATIONS.map((operation) => {
      const name = functionName(operation);
      const lambda = addFunction(name, operation);
      const live = versions.add(lambda, settings.provisionedConcurrency[name]);
      const integration = new LambdaIntegration(live, { allowTestInvoke: false });
      const resource = api.root.resourceForPath(operation.path);
      resource.addMethod('POST', integration);
      answerPreflights(resource, settings);
      refuseOtherMethods(resource, gatewayCorsHeaders(settings));
      return lambda;
    });
    const consumer = addFunction(QUEUE_FUNCTION, storeQueuedPromoEvents);
    queue.addConsumer(versions.add(consumer));
    const recorder = addFunction(RECORDING_FUNCTION, recordConfigurationVersions);
    history.addRecorder(versions.add(recorder));
    const checker = settings.checkPromoEvents
      ? addFunction(CHECKING_FUNCTION, checkPromoEvents)
      : undefined;
    if (checker) checkStream(tables.promoEvents, checker);
    const functions = [...operations, consumer, recorder, ...(checker ? [checker] : [])];
    addGatewayResponses(api, gatewayCorsHeaders(settings));
    Validations.of(api).acknowledge(
      ...ACKNOWLEDGED_RULES,
      ...(settings.accessLogs ? [GATEWAY_LOG_ROLE] : NO_ACCESS_LOGS),
    );
    const webAcl =
      (settings.webAcl ?? retainData)
        ? new WebAcl(this, 'WebAcl', api.deploymentStage, settings)
        : undefined;
    if (!webAcl) {
      Validations.of(api).acknowledge(NO_WEB_ACL);
      if (!isDeepStrictEqual(settings.rateLimits, RATE_LIMITS)) {
        Annotations.of(api).addWarningV2(
          'customer-data-api:noRateLimits',
          'rateLimits has no effect: they are rules of the web ACL, and the stage has none.',
        );
      }
    }

    const domain =
      settings.customDomain && new CustomDomain(this, 'CustomDomain', api, settings.customDomain);
    const executeApiUrl = `https://${api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${stageName}`;
    const apiUrl = domain?.url ?? executeApiUrl;
    const heartbeat = settings.heartbeat
      ? new ScheduledCaller(this, 'Heartbeat', {
          folder: 'heartbeat',
          environment: { HEARTBEAT_URL: `${apiUrl}${getConfig.path}` },
        })
      : undefined;
    const canary =
      settings.canary &&
      addCanary(this, 'Canary', {
        apiUrl,
        userPoolClientId: users.idOf(settings.canary.appClient),
        secretArn: settings.canary.secretArn,
        environment: pick(environment, [...PLATFORM_ENVIRONMENT, 'USER_ID_CLAIM']),
      });

    new SavedQueries(
      this,
      'SavedQueries',
      functions.map(({ logGroup }) => logGroup),
    );
    const monitored: Monitored = {
      stage,
      webAcl,
      operations,
      consumer,
      recorder,
      checker,
      functions,
      tables,
      queue,
      bus,
      history,
      api: api.deploymentStage,
      heartbeat: heartbeat?.function,
      canary,
    };
    const alarms = new Alarms(this, 'Alarms', monitored);
    new StageDashboard(this, 'Dashboard', monitored, alarms.names);

    const outputs = {
      ApiUrl: apiUrl,
      ConfigsTableName: tables.configs.tableName,
      ConfigVersionsTableName: tables.configVersions.tableName,
      PromoEventsTableName: tables.promoEvents.tableName,
      ErasuresTableName: tables.erasures.tableName,
      PromoEventsQueueUrl: queue.queue.queueUrl,
      PromoEventsDeadLetterQueueUrl: queue.deadLetterQueue.queueUrl,
      PromoEventsBusDeadLetterQueueUrl: bus.deadLetterQueue.queueUrl,
      ConfigVersionsDeadLetterQueueUrl: history.deadLetterQueue.queueUrl,
      Region: Aws.REGION,
      Release: packageJson.version,
      RequiresUserPoolClientIds: String(settings.requireUserPoolClientIds),
      RetainsData: String(retainData),
      ConfigCacheSeconds: String(settings.configCacheSeconds),
      UserPoolId: users.userPoolId,
      UserPoolClientId: users.userPoolClientIds.join(','),
      UserIdClaim: settings.userIdClaim,
      ...(versions.application && {
        CodeDeployApplicationName: versions.application.applicationName,
        CodeDeployDeploymentGroupNames: versions.deploymentGroups.join(','),
      }),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
    const policies = new OperatorPolicies(this, 'OperatorPolicies', { monitored, users, versions });
    for (const [name, value] of policies.arns) new CfnOutput(this, `${name}PolicyArn`, { value });
    for (const [name, value] of users.appClients) {
      new CfnOutput(this, `UserPoolClientId${name}`, { value });
    }
    new CfnOutput(this, 'PromoEventsBusName', {
      value: bus.eventBus.eventBusName,
      exportName: `${id}-PromoEventsBusName`,
    });
    checkLimits(this);
  }
}

function pick(
  environment: Environment,
  names: readonly EnvironmentVariable[],
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, String(environment[name])]));
}

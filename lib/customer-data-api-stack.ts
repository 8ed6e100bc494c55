import {
  type App,
  Aspects,
  Aws,
  CfnOutput,
  RemovalPolicies,
  RemovalPolicy,
  Stack,
  Tags,
} from 'aws-cdk-lib';
import { LambdaIntegration } from 'aws-cdk-lib/aws-apigateway';
import { CfnUserPool, CfnUserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { CfnGlobalTable } from 'aws-cdk-lib/aws-dynamodb';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnQueue, type IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import {
  checkPromoEvents,
  type FunctionDefinition,
  publishPromoEvents,
  recordConfigurationVersions,
  storeQueuedPromoEvents,
} from '../functions/background-functions.ts';
import { getConfig } from '../functions/get-config/operation.ts';
import { functionName, type Resource } from '../functions/http/operation.ts';
import { OPERATIONS } from '../functions/operations.ts';
import { Alarms } from './alarms/alarms.ts';
import type { Monitored } from './alarms/monitored.ts';
import { answerPreflights, gatewayCorsHeaders } from './api/cors.ts';
import { CustomDomain } from './api/custom-domain.ts';
import { addGatewayResponses, refuseOtherMethods } from './api/gateway-responses.ts';
import { createRestApi } from './api/rest-api.ts';
import { Users } from './api/user-pool.ts';
import { addWebAcl } from './api/web-acl.ts';
import { ConfigurationHistory } from './dynamodb/configuration-history.ts';
import { Tables } from './dynamodb/tables.ts';
import { functionEnvironment, variablesOf } from './functions/function-environment.ts';
import { Heartbeat } from './functions/heartbeat.ts';
import { ServiceFunction } from './functions/service-function.ts';
import { GradualDeployment } from './gradual-deployment.ts';
import { checkLimits } from './limits.ts';
import { StageDashboard } from './monitoring/dashboard.ts';
import { SavedQueries } from './monitoring/saved-queries.ts';
import { OperatorPolicies } from './operators/operator-policies.ts';
import { addOutputs } from './outputs.ts';
import { ServiceBus } from './promo-events/bus.ts';
import { checkStream } from './promo-events/promo-events-check.ts';
import { PromoEventsQueue } from './promo-events/queue.ts';
import { readStage, type Stage } from './settings/stage-file.ts';
import { stackNameOf } from './stack-name.ts';

/**
 * Adds the stack of a stage, which the app's context names.
 *
 * @throws SettingsError if there is no such stage, or a setting is invalid or unknown.
 */
export function addCustomerDataApiStack(app: App): CustomerDataApiStack {
  const stage = readStage(app.node.getAllContext());
  return new CustomerDataApiStack(app, stackNameOf(stage.name), stage);
}

/**
 * The resources that outlive the stack with `retainData`. Installed apps contain the id of their
 * app client.
 */
const DATA_TYPES = [CfnGlobalTable, CfnQueue, CfnUserPool, CfnUserPoolClient].map(
  ({ CFN_RESOURCE_TYPE_NAME }) => CFN_RESOURCE_TYPE_NAME,
);

/** The stack of one stage: API, functions, tables, queues, event bus and user pool. */
export class CustomerDataApiStack extends Stack {
  /** @throws SettingsError if settings exceed a limit of AWS together, or name what will change. */
  constructor(scope: Construct, id: string, stage: Stage) {
    const { name: stageName, settings } = stage;
    const { account, region, retainData } = settings;
    super(scope, id, {
      env: { ...(account && { account }), ...(region && { region }) },
      description: 'customer-data-api: customer data configuration and promo codes for mobile apps',
      terminationProtection: retainData,
      tags: settings.tags,
    });
    // CloudFormation gives the tags of a stack to most of its resources, but not to its tables.
    for (const [key, value] of Object.entries(settings.tags)) Tags.of(this).add(key, value);
    this.#retain(settings);
    const tables = new Tables(this, 'Tables', settings);
    const queue = new PromoEventsQueue(this, 'PromoEventsQueue');
    const bus = new ServiceBus(this, 'PromoEventsBus', tables.promoEvents);
    const history = new ConfigurationHistory(this, 'ConfigurationHistory', tables.configs);
    const users = new Users(this, 'Users', settings);
    const environment = functionEnvironment(stage, { tables, queue, bus, users });
    const addFunction = functionAdder(this, settings, environment, {
      tables,
      queue,
      bus,
    });

    const versions = new GradualDeployment(this, 'LiveVersions', stage);
    const api = createRestApi(this, stage);
    const operations = OPERATIONS.map((operation) => {
      const name = functionName(operation);
      const lambda = addFunction({ ...operation, name });
      const live = versions.add(lambda, settings.provisionedConcurrency[name]);
      const integration = new LambdaIntegration(live, { allowTestInvoke: false });
      const resource = api.root.resourceForPath(operation.path);
      resource.addMethod('POST', integration);
      answerPreflights(resource, settings);
      refuseOtherMethods(resource, gatewayCorsHeaders(settings));
      return lambda;
    });
    const consumer = addFunction(storeQueuedPromoEvents);
    queue.addConsumer(versions.add(consumer));
    const publisher = addFunction(publishPromoEvents);
    bus.addPublisher(versions.add(publisher));
    const recorder = addFunction(recordConfigurationVersions);
    history.addRecorder(versions.add(recorder));
    const checker = settings.checkPromoEvents ? addFunction(checkPromoEvents) : undefined;
    if (checker) checkStream(tables.promoEvents, checker);
    const functions = [...operations, consumer, publisher, recorder, ...(checker ? [checker] : [])];
    addGatewayResponses(api, gatewayCorsHeaders(settings));
    const webAcl = addWebAcl(this, api, stage);
    const domain =
      settings.customDomain && new CustomDomain(this, 'CustomDomain', api, settings.customDomain);
    const executeApiUrl = `https://${api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${stageName}`;
    const apiUrl = domain?.url ?? executeApiUrl;
    const heartbeat =
      (settings.heartbeat ?? retainData)
        ? new Heartbeat(this, 'Heartbeat', `${apiUrl}${getConfig.path}`)
        : undefined;

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
      publisher,
      recorder,
      checker,
      functions,
      tables,
      queue,
      bus,
      history,
      api: api.deploymentStage,
      heartbeat: heartbeat?.function,
    };
    const alarms = new Alarms(this, 'Alarms', monitored);
    new StageDashboard(this, 'Dashboard', monitored, alarms.names);

    const parts = { stage, tables, queue, bus, history, users, versions };
    addOutputs(this, apiUrl, parts);
    const policies = new OperatorPolicies(this, 'OperatorPolicies', { monitored, users, versions });
    for (const [name, value] of policies.arns) new CfnOutput(this, `${name}PolicyArn`, { value });
    if (webAcl) new CfnOutput(this, 'WebAclArn', { value: webAcl.arn });
    checkLimits(this);
  }

  /** Decides what outlives the stack, and how long logs are kept. */
  #retain({ retainData, logRetentionDays }: Stage['settings']): void {
    Aspects.of(this).add({
      visit: (node) => {
        if (node instanceof CfnLogGroup) node.retentionInDays = logRetentionDays;
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
  }
}

type Environment = ReturnType<typeof functionEnvironment>;

/** Returns a function that adds one of the service's, with its variables and permissions. */
function functionAdder(
  stack: Stack,
  { memoryMegabytes, reservedConcurrency }: Stage['settings'],
  environment: Environment,
  {
    tables,
    queue,
    bus,
  }: { readonly tables: Tables; readonly queue: PromoEventsQueue; readonly bus: ServiceBus },
) {
  const resources: Record<Resource, Pick<IQueue, 'grant'>> = {
    configs: tables.configs,
    configVersions: tables.configVersions,
    erasures: tables.erasures,
    promoEvents: tables.promoEvents,
    // A bus has no grants of single actions.
    promoEventsBus: {
      grant: (grantee, ...actions) =>
        Grant.addToPrincipal({ grantee, actions, resourceArns: [bus.eventBus.eventBusArn] }),
    },
    promoEventsBusDeadLetterQueue: bus.deadLetterQueue,
    promoEventsQueue: queue.queue,
  };
  return ({ name, grants, ...definition }: FunctionDefinition): ServiceFunction => {
    const serviceFunction = new ServiceFunction(stack, name, {
      folder: definition.folder,
      environment: variablesOf(environment, definition.environment),
      memoryMegabytes,
      reservedConcurrency: reservedConcurrency[name],
    });
    for (const [resource, actions] of Object.entries(grants)) {
      resources[resource as Resource].grant(serviceFunction, ...actions);
    }
    return serviceFunction;
  };
}

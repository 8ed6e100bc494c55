import { type App, Aws, CfnOutput, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { EndpointType, LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Environment, EnvironmentVariable } from '../core/platform/environment.ts';
import { type Grants, nameOf, type Resource } from '../functions/api/operation.ts';
import { OPERATIONS } from '../functions/operations.ts';
import { storeQueuedPromoEvents } from '../functions/store-queued-promo-events/function.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { PromoEventsBus } from './promo-events-bus.ts';
import { PromoEventsQueue } from './promo-events-queue.ts';
import { ServiceFunction } from './service-function.ts';
import { readSettings, type Settings } from './settings.ts';
import { Tables } from './tables.ts';
import { Users } from './users.ts';

/**
 * Adds the stack of one stage to an app, with the settings of the app's context.
 *
 * @throws SettingsError
 */
export function addCustomerDataApiStack(app: App): CustomerDataApiStack {
  const settings = readSettings(app.node.getAllContext());
  return new CustomerDataApiStack(app, `CustomerDataApi-${settings.stage}`, settings);
}

/** The rules of AWS Solutions that the API breaks, each with why: https://github.com/cdklabs/cdk-nag/blob/main/RULES.md */
const RULES_THAT_DO_NOT_FIT = [
  ...['AwsSolutions-APIG4', 'AwsSolutions-COG4'].map((id) => ({
    id,
    reason:
      'The functions verify the token themselves: an authorizer of the gateway cannot tell an expired token from a forged one, nor say why it refuses.',
  })),
  {
    id: 'AwsSolutions-APIG2',
    reason:
      'The functions validate the body themselves: they name all that is wrong with it, the gateway would name nothing.',
  },
  ...['AwsSolutions-APIG1', 'AwsSolutions-APIG6'].map((id) => ({
    id,
    reason:
      'Logs of the gateway need a role that is a setting of the whole account, which the stack of one service must not replace. The functions log each request that fails, and the gateway counts what it refuses itself.',
  })),
  {
    id: 'AwsSolutions-APIG3',
    reason:
      'A web ACL is paid for by the month and is often shared by the APIs of an account: its owner associates it with the stage.',
  },
];

/** Everything of one stage: the API, its functions, the tables, the queue, the event bus and the user pool. */
export class CustomerDataApiStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id, {
      description: 'customer-data-api: customer data configuration and promo codes for mobile apps',
    });
    const isProd = settings.stage === 'prod';
    const keeping = {
      removalPolicy: isProd ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      deletionProtection: isProd,
    };

    const tables = new Tables(this, 'Tables', keeping);
    const queue = new PromoEventsQueue(this, 'PromoEventsQueue', {
      removalPolicy: keeping.removalPolicy,
      alarmAction: alarmAction(this, settings),
    });
    const bus = new PromoEventsBus(this, 'PromoEventsBus', { promoEvents: tables.promoEvents });
    const users = new Users(this, 'Users', { settings, ...keeping });
    const environment: Environment = {
      CONFIGS_TABLE_NAME: tables.configs.tableName,
      CONFIG_CACHE_SECONDS: settings.configCacheSeconds,
      DYNAMODB_ENDPOINT: `https://dynamodb.${Aws.REGION}.${Aws.URL_SUFFIX}`,
      PROMO_EVENTS_QUEUE_URL: queue.queue.queueUrl,
      PROMO_EVENTS_TABLE_NAME: tables.promoEvents.tableName,
      PROMO_EVENT_RETENTION_DAYS: settings.promoEventRetentionDays ?? 0,
      REQUEST_DATE_WINDOW_SECONDS: settings.requestDateWindowSeconds,
      USER_ID_CLAIM: settings.userIdClaim,
      USER_POOL_CLIENT_IDS: users.userPoolClientIds.join(','),
      USER_POOL_ID: users.userPoolId,
    };
    const resources: Record<Resource, Grantable> = {
      configs: tables.configs,
      promoEvents: tables.promoEvents,
      promoEventsQueue: queue.queue,
    };
    const addFunction = (functionId: string, definition: FunctionDefinition): ServiceFunction => {
      const serviceFunction = new ServiceFunction(this, functionId, {
        folder: definition.folder,
        environment: picked(environment, definition.environment),
        removalPolicy: keeping.removalPolicy,
      });
      for (const [resource, actions] of Object.entries(definition.grants)) {
        resources[resource as Resource].grant(serviceFunction, ...actions);
      }
      return serviceFunction;
    };

    const api = new RestApi(this, 'Api', {
      restApiName: id,
      // No CloudFront in front, which would answer for itself, with pages of its own.
      endpointTypes: [EndpointType.REGIONAL],
      deployOptions: { stageName: settings.stage },
      cloudWatchRole: false,
    });
    api.node.tryRemoveChild('Endpoint'); // an output of its own, which ApiUrl says better
    for (const operation of OPERATIONS) {
      const integration = new LambdaIntegration(addFunction(nameOf(operation), operation), {
        allowTestInvoke: false,
      });
      for (const { path } of operation.paths) {
        api.root.resourceForPath(path).addMethod('POST', integration);
      }
    }
    queue.storeBy(addFunction('StoreQueuedPromoEvents', storeQueuedPromoEvents));
    addGatewayResponses(api);
    Validations.of(api).acknowledge(...RULES_THAT_DO_NOT_FIT);

    const outputs = {
      ApiUrl: `https://${api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${settings.stage}`,
      ConfigsTableName: tables.configs.tableName,
      PromoEventsTableName: tables.promoEvents.tableName,
      PromoEventsQueueUrl: queue.queue.queueUrl,
      PromoEventsDeadLetterQueueUrl: queue.deadLetterQueue.queueUrl,
      UserPoolId: users.userPoolId,
      UserPoolClientId: users.userPoolClientIds.join(','),
      UserIdClaim: settings.userIdClaim,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
    new CfnOutput(this, 'PromoEventsBusName', {
      value: bus.eventBus.eventBusName,
      exportName: `${id}-PromoEventsBusName`,
    });
  }
}

/** What the stack needs to know about a function. */
interface FunctionDefinition {
  readonly folder: string;
  readonly environment: readonly EnvironmentVariable[];
  readonly grants: Grants;
}

/** Tables and queues alike. */
interface Grantable {
  grant(grantee: IGrantable, ...actions: string[]): Grant;
}

function picked(
  environment: Environment,
  names: readonly EnvironmentVariable[],
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, String(environment[name])]));
}

function alarmAction(scope: Construct, { alarmTopicArn }: Settings): SnsAction | undefined {
  if (!alarmTopicArn) return undefined;
  return new SnsAction(Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopicArn));
}

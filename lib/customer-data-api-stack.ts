import { type App, Aws, CfnOutput, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { EndpointType, LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
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
    const DYNAMODB_ENDPOINT = `https://dynamodb.${Aws.REGION}.${Aws.URL_SUFFIX}`;
    const environment = {
      DYNAMODB_ENDPOINT,
      CONFIGS_TABLE_NAME: tables.configs.tableName,
      CONFIG_CACHE_SECONDS: String(settings.configCacheSeconds),
      REQUEST_DATE_WINDOW_SECONDS: String(settings.requestDateWindowSeconds),
      USER_POOL_CLIENT_IDS: users.userPoolClientIds.join(','),
      USER_POOL_ID: users.userPoolId,
    };

    const promoEventsEnvironment = {
      PROMO_EVENTS_TABLE_NAME: tables.promoEvents.tableName,
      PROMO_EVENT_RETENTION_DAYS: String(settings.promoEventRetentionDays ?? 0),
    };

    const getConfig = new ServiceFunction(this, 'GetConfig', {
      folder: 'get-config',
      environment,
      removalPolicy: keeping.removalPolicy,
    });
    tables.configs.grant(getConfig, 'dynamodb:GetItem');

    const applyPromoCode = new ServiceFunction(this, 'ApplyPromoCode', {
      folder: 'apply-promo-code',
      environment: {
        ...environment,
        ...promoEventsEnvironment,
        PROMO_EVENTS_QUEUE_URL: queue.queue.queueUrl,
        USER_ID_CLAIM: settings.userIdClaim,
      },
      removalPolicy: keeping.removalPolicy,
    });
    tables.configs.grant(applyPromoCode, 'dynamodb:GetItem');
    tables.promoEvents.grant(applyPromoCode, 'dynamodb:UpdateItem', 'dynamodb:PutItem');
    queue.queue.grant(applyPromoCode, 'sqs:SendMessage');

    const storeQueuedPromoEvents = new ServiceFunction(this, 'StoreQueuedPromoEvents', {
      folder: 'store-queued-promo-events',
      environment: { DYNAMODB_ENDPOINT, ...promoEventsEnvironment },
      removalPolicy: keeping.removalPolicy,
    });
    tables.promoEvents.grant(storeQueuedPromoEvents, 'dynamodb:UpdateItem', 'dynamodb:PutItem');
    queue.storeBy(storeQueuedPromoEvents);

    const api = new RestApi(this, 'Api', {
      restApiName: id,
      // No CloudFront in front, which would answer for itself, with pages of its own.
      endpointTypes: [EndpointType.REGIONAL],
      deployOptions: { stageName: settings.stage },
      cloudWatchRole: false,
    });
    api.node.tryRemoveChild('Endpoint'); // an output of its own, which ApiUrl says better
    const routes: readonly (readonly [path: string, ServiceFunction])[] = [
      ['/customerData/getConfig', getConfig],
      // As the spec spells it, and apps in the field call it (docs/decisions/0002).
      ['/customData/getConfig', getConfig],
      ['/promoCode/apply', applyPromoCode],
    ];
    for (const [path, operation] of routes) {
      const integration = new LambdaIntegration(operation, { allowTestInvoke: false });
      api.root.resourceForPath(path).addMethod('POST', integration);
    }
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

function alarmAction(scope: Construct, { alarmTopicArn }: Settings): SnsAction | undefined {
  if (!alarmTopicArn) return undefined;
  return new SnsAction(Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopicArn));
}

import { ArnFormat, Aws, Stack, Validations } from 'aws-cdk-lib';
import { type Conditions, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { LISTED } from '../../core/promo-events/promo-event.ts';
import { functionLogGroup } from '../../functions/background-functions.ts';
import type { Monitored } from '../alarms/monitored.ts';
import type { Users } from '../api/user-pool.ts';
import { ServiceFunction } from '../functions/service-function.ts';
import type { GradualDeployment } from '../gradual-deployment.ts';
import {
  actionsOf,
  OPERATOR_POLICIES,
  type OperatorPolicy,
  type OperatorResource,
} from './permissions-of-commands.ts';

/** The resources that operators may use. */
interface OperatorPoliciesProps {
  readonly monitored: Monitored;
  readonly users: Users;
  readonly versions: GradualDeployment;
}

/** The parts of ARNs, also for a stage with an account: the rules acknowledged below name them. */
const PLACE = { partition: Aws.PARTITION, region: Aws.REGION, account: Aws.ACCOUNT_ID };

const DESCRIPTIONS: Readonly<Record<OperatorPolicy, string>> = {
  Viewer: 'customer-data commands that read tables and settings',
  Editor: 'the same, and those that change clients, App-Ids and configurations',
  OnCall:
    'all customer-data commands, and what the runbook needs of CloudWatch, X-Ray, CodeDeploy and Cognito',
};

/** The conditions of a call besides the right resource. */
const CONDITIONS: Readonly<Partial<Record<OperatorResource, Conditions>>> = {
  // A query without a projection would return the token of a code. With only the first condition,
  // it would pass, because it names no attribute.
  listedPromoEvents: {
    'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['clientId', 'eventId', ...LISTED] },
    StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
  },
};

/** Managed policies with which operators run the commands of `customer-data`. */
export class OperatorPolicies extends Construct {
  /** The ARN of each policy. */
  readonly arns: readonly (readonly [OperatorPolicy, string])[];

  constructor(scope: Construct, id: string, { monitored, users, versions }: OperatorPoliciesProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const { application } = versions;
    const applicationId = application && stack.resolve(application.applicationName).Ref;
    const { tables, queue, bus, history, operations } = monitored;
    const constructs = stack.node.findAll();
    const functionLogs = new Set(
      constructs.flatMap((construct) =>
        construct instanceof ServiceFunction ? construct.logGroup : [],
      ),
    );
    const muteRules = (resourceName: string) =>
      stack.formatArn({
        ...PLACE,
        service: 'cloudwatch',
        resource: 'alarm-mute-rule',
        resourceName,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      });
    const resources: Record<OperatorResource, string | readonly string[]> = {
      account: '*',
      alarms: stack.formatArn({
        ...PLACE,
        service: 'cloudwatch',
        resource: 'alarm',
        resourceName: `${stack.stackName}/*`,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
      apiFunctionLogs: operations.map(({ logGroup }) => logGroup.logGroupArn),
      busDeadLetterQueue: bus.deadLetterQueue.queueArn,
      busQueue: bus.queue.queueArn,
      configs: tables.configs.tableArn,
      configVersions: tables.configVersions.tableArn,
      deadLetterQueue: queue.deadLetterQueue.queueArn,
      deployments: application
        ? stack.formatArn({
            ...PLACE,
            service: 'codedeploy',
            resource: 'deploymentgroup',
            resourceName: `${application.applicationName}/*`,
            arnFormat: ArnFormat.COLON_RESOURCE_NAME,
          })
        : [],
      erasures: tables.erasures.tableArn,
      historyDeadLetterQueue: history.deadLetterQueue.queueArn,
      logs: [
        // One ARN for all functions: a policy has at most 6,144 characters.
        stack.formatArn({
          ...PLACE,
          service: 'logs',
          resource: 'log-group',
          resourceName: functionLogGroup(stack.stackName, '*'),
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
        ...constructs.flatMap((construct) =>
          construct instanceof LogGroup && !functionLogs.has(construct)
            ? construct.logGroupArn
            : [],
        ),
      ],
      // A rule of another team can mute alarms of the stack, too.
      muteRules: muteRules('*'),
      // Names of stages have no underscore.
      ownMuteRules: muteRules(`${stack.stackName}_*`),
      listedPromoEvents: tables.promoEvents.tableArn,
      promoEvents: tables.promoEvents.tableArn,
      queue: queue.queue.queueArn,
      stack: stack.formatArn({
        ...PLACE,
        service: 'cloudformation',
        resource: 'stack',
        resourceName: `${stack.stackName}/*`,
      }),
      // The topics of alarms, here or in another stack: settings can name any.
      topics: stack.formatArn({
        ...PLACE,
        service: 'sns',
        resource: '*',
        arnFormat: ArnFormat.NO_RESOURCE_NAME,
      }),
      users: stack.formatArn({
        service: 'cognito-idp',
        resource: 'userpool',
        resourceName: users.userPoolId,
      }),
      webAcl: monitored.webAcl?.arn ?? [],
    };
    this.arns = OPERATOR_POLICIES.map((name) => {
      const policy = new ManagedPolicy(this, name, {
        description: `${stack.stackName}: ${DESCRIPTIONS[name]}`,
        statements: [...actionsOf(name)].flatMap(([resource, actions]) => {
          const arns = [resources[resource]].flat();
          return arns.length > 0
            ? [
                new PolicyStatement({
                  actions: [...actions],
                  resources: arns,
                  conditions: CONDITIONS[resource] ?? {},
                }),
              ]
            : [];
        }),
      });
      Validations.of(policy).acknowledge(
        {
          id: 'AwsSolutions-IAM5[Resource::*]',
          reason:
            'These actions cannot be limited to a resource. They only read metrics, traces, settings and the results of queries.',
        },
        {
          id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudwatch:<AWS::Region>:<AWS::AccountId>:alarm:${stack.stackName}/*]`,
          reason: 'The names of all alarms of the stack start with its name and a slash.',
        },
        {
          id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudwatch:<AWS::Region>:<AWS::AccountId>:alarm-mute-rule:*]',
          reason: 'A rule of any name can mute an alarm of the stack. The statement only reads.',
        },
        {
          id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudwatch:<AWS::Region>:<AWS::AccountId>:alarm-mute-rule:${stack.stackName}_*]`,
          reason: 'Whoever is on call makes these rules. Their names start with that of the stack.',
        },
        {
          id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:${functionLogGroup(stack.stackName, '*')}]`,
          reason: 'The log groups of all functions of the stack start with this name.',
        },
        {
          id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:codedeploy:<AWS::Region>:<AWS::AccountId>:deploymentgroup:<${applicationId}>/*]`,
          reason: 'All groups of the application are those of the stack.',
        },
        {
          id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:stack/${stack.stackName}/*]`,
          reason: 'The end of the ARN of a stack is a random id. The statement only reads.',
        },
        {
          id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:*]',
          reason:
            'The setting alarmRecipients can name any topic of the account. The statement only reads.',
        },
      );
      return [name, policy.managedPolicyArn] as const;
    });
  }
}

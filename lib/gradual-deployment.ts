import { Duration, Validations } from 'aws-cdk-lib';
import {
  type Alarm,
  MathExpression,
  type MathExpressionProps,
  Metric,
} from 'aws-cdk-lib/aws-cloudwatch';
import {
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { OPERATIONS } from '../functions/operations.ts';
import { type AlarmDefinition, addAlarm, alarmName } from './alarms/alarm.ts';
import { countOf } from './alarms/metrics.ts';
import type { ServiceFunction } from './functions/service-function.ts';
import { isGradual } from './settings/settings.ts';
import type { Stage } from './settings/stage-file.ts';

/** The alias that callers use. */
const LIVE = 'live';
const PERIOD = Duration.minutes(1);
/** The deployment is rolled back if two minutes of its five are bad: one may be an accident. */
const MINUTES = { evaluationPeriods: 5, datapointsToAlarm: 2 };
/**
 * Failures in percent of the new release's calls within a minute. Rolling back a good release,
 * because DynamoDB failed at that time, costs a deployment. Not rolling back a bad one costs promo
 * codes.
 */
const FAILED_CALLS = 1;
/**
 * The percentage points by which the share of users that the new release refuses may exceed that of
 * the old one. Fewer refusals than these within a minute say nothing.
 */
const REFUSED_USERS = { points: 10, least: 5 };

const CODE_DEPLOY_POLICY = {
  id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
  reason:
    'AWS maintains the policy for what CodeDeploy needs: to shift an alias and to read alarms.',
};

/**
 * The releases of the functions (Lambda's versions). Callers use the alias `live`. With gradual
 * deployment, CodeDeploy shifts it to a new release: 10 % of the calls for five minutes, then the
 * rest. If calls of the new release fail or are refused, it shifts the alias back, and the
 * deployment fails. A new stage has no old release, so all calls go to the new one.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatepolicy.html
 */
export class GradualDeployment extends Construct {
  /** CodeDeploy's application, whose groups shift aliases; none without gradual deployment. */
  readonly application: LambdaApplication | undefined;
  /** The names of its groups, one per function. */
  readonly deploymentGroups: string[] = [];
  readonly #stage: Stage;
  readonly #role: Role | undefined;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.#stage = stage;
    if (!isGradual(stage.settings)) return;
    this.#role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    });
    Validations.of(this.#role).acknowledge(CODE_DEPLOY_POLICY);
    this.application = new LambdaApplication(this, 'Application');
  }

  /**
   * Publishes a release of a function if its code or its configuration has changed.
   *
   * @param provisionedConcurrency number of execution environments that are always initialised.
   * @returns the alias to call.
   */
  add(lambda: ServiceFunction, provisionedConcurrency?: number): IFunction {
    const { id } = lambda.node;
    const alias = lambda.addAlias(LIVE, {
      ...(provisionedConcurrency && { provisionedConcurrentExecutions: provisionedConcurrency }),
    });
    if (this.application && this.#role) {
      const alarms = isOperation(lambda)
        ? [this.#failedCalls(lambda), this.#refusedCalls(lambda)]
        : [this.#failedCalls(lambda)];
      const { deploymentGroupName } = new LambdaDeploymentGroup(this, id, {
        application: this.application,
        role: this.#role,
        alias,
        alarms,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
      this.deploymentGroups.push(deploymentGroupName);
      // The alarms must watch the new release before the alias is shifted.
      alias.node.addDependency(...alarms);
    }
    // The CDK's types of an alias and of a function differ in the optional `role`.
    return alias as IFunction;
  }

  /**
   * Handlers count the errors that they answer. Lambda counts those that they cannot: a release
   * that does not start, crashes or is too slow. A release that locks clients out fails too.
   */
  #failedCalls(lambda: ServiceFunction): Alarm {
    const stage = this.#stage;
    const { version } = lambda.currentVersion;
    // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-view.html
    const ofLambda = (metricName: string) =>
      new Metric({
        statistic: 'Sum',
        namespace: 'AWS/Lambda',
        metricName,
        dimensionsMap: {
          FunctionName: lambda.functionName,
          Resource: `${lambda.functionName}:${LIVE}`,
          ExecutedVersion: version,
        },
      });
    const failed = {
      answered: countOf('ServerErrors', stage, lambda, { version }),
      crashed: ofLambda('Errors'),
    };
    const calls = ofLambda('Invocations');
    return this.#alarm(lambda, 'FailedCalls', {
      // Clients that the old release locks out too do not count: their items are wrong.
      ...(isOperation(lambda)
        ? {
            expression:
              '100 * (FILL(answered, 0) + FILL(crashed, 0) + IF(FILL(lockedByAny, 0) > FILL(locked, 0), 0, FILL(locked, 0))) / calls',
            usingMetrics: {
              ...failed,
              locked: countOf('ClientLockedOut', stage, lambda, { version }),
              lockedByAny: countOf('ClientLockedOut', stage, lambda),
              calls,
            },
          }
        : {
            expression: '100 * (FILL(answered, 0) + FILL(crashed, 0)) / calls',
            usingMetrics: { ...failed, calls },
          }),
      threshold: FAILED_CALLS,
      meaning: 'fail',
    });
  }

  /**
   * A release with a wrong claim of the user, or with wrong app clients, refuses users whom the old
   * one serves. Only calls with a token of the user pool count: anyone can send others.
   */
  #refusedCalls(lambda: ServiceFunction): Alarm {
    const stage = this.#stage;
    const { version } = lambda.currentVersion;
    return this.#alarm(lambda, 'RefusedCalls', {
      expression: `IF(FILL(refused, 0) >= ${REFUSED_USERS.least}, 100 * (FILL(refused, 0) / calls - (FILL(refusedByAny, 0) - FILL(refused, 0)) / (callsOfAny - calls)), 0)`,
      usingMetrics: {
        refused: countOf('SignedCallRefused', stage, lambda, { version }),
        calls: countOf('SignedCall', stage, lambda, { version }),
        refusedByAny: countOf('SignedCallRefused', stage, lambda),
        callsOfAny: countOf('SignedCall', stage, lambda),
      },
      threshold: REFUSED_USERS.points,
      meaning: 'are refused, unlike those of the old one',
    });
  }

  #alarm(
    { node, currentVersion: { version } }: ServiceFunction,
    kind: string,
    {
      threshold,
      meaning,
      ...expression
    }: MathExpressionProps & Required<Pick<AlarmDefinition, 'threshold' | 'meaning'>>,
  ): Alarm {
    // No recipients: those who deploy see the failure, and other alarms watch the live release.
    const id = `${node.id}${kind}`;
    return addAlarm(this, id, this.#stage, {
      ...MINUTES,
      threshold,
      metric: new MathExpression({ ...expression, period: PERIOD }),
      meaning: `calls of the new version of ${node.id} ${meaning}, and its deployment is rolled back.`,
      section: 'failedcalls-refusedcalls',
      // A changed alarm keeps its state, and CodeDeploy rolls back while it is on: a fix would fail
      // because of the release that it replaces.
      name: `${alarmName(this, id)}-${version}`,
    });
  }
}

/** True for a function that answers calls of apps. The others have no clients. */
function isOperation({ folder }: ServiceFunction): boolean {
  return OPERATIONS.some((operation) => operation.folder === folder);
}

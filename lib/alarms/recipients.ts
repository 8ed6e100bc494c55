import { Annotations, Aws } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { NO_RECIPIENTS } from '../settings/monitoring.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * The recipients of a stage's alarms: SNS topics from the settings, and topics of the stack for
 * e-mail addresses. Some alarms page, because someone must act at once; the others inform.
 */
export class AlarmRecipients extends Construct {
  readonly page: readonly IAlarmAction[];
  readonly inform: readonly IAlarmAction[];

  constructor(scope: Construct, id: string, { alarmRecipients = [] }: Settings) {
    super(scope, id);
    if (alarmRecipients === NO_RECIPIENTS) {
      Annotations.of(this).addWarningV2(
        'customer-data-api:noAlarmRecipients',
        'Alarms of this stage reach nobody: alarmRecipients is "none".',
      );
    }
    const all = alarmRecipients === NO_RECIPIENTS ? [] : alarmRecipients;
    const { page, inform } = 'page' in all ? all : { page: all, inform: all };
    this.page = this.#actionsFor('Page', page);
    this.inform = this.#actionsFor('Inform', inform);
  }

  #actionsFor(id: string, recipients: readonly string[]): IAlarmAction[] {
    const topicArns = recipients.filter((recipient) => recipient.startsWith('arn:'));
    const addresses = recipients.filter((recipient) => !topicArns.includes(recipient));
    const topics = topicArns.map((arn, index) => Topic.fromTopicArn(this, `${id}${index}`, arn));
    if (addresses.length > 0) {
      const topic = new Topic(this, id, { enforceSSL: true });
      // An explicit policy replaces the default one, which permits the account's alarms to publish.
      topic.grantPublish(
        new ServicePrincipal('cloudwatch.amazonaws.com').withConditions({
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
        }),
      );
      for (const address of addresses) topic.addSubscription(new EmailSubscription(address));
      topics.push(topic);
    }
    return topics.map((topic) => new SnsAction(topic));
  }
}

/**
 * Reports costs of the account that exceed a monthly budget: what is spent, and what AWS forecasts.
 * AWS accepts ten e-mail addresses and one topic for each.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-budgets-budget-notificationwithsubscribers.html
 */
export class Budget extends Construct {
  constructor(scope: Construct, id: string, { alarmRecipients, monthlyBudget }: Settings) {
    super(scope, id);
    if (!monthlyBudget) return;
    if (!alarmRecipients || alarmRecipients === NO_RECIPIENTS) {
      Annotations.of(this).addWarningV2(
        'customer-data-api:noBudgetRecipients',
        'monthlyBudget has no effect: alarmRecipients names nobody whom AWS could tell.',
      );
      return;
    }
    const recipients = 'inform' in alarmRecipients ? alarmRecipients.inform : alarmRecipients;
    const isTopic = (recipient: string) => recipient.startsWith('arn:');
    const subscribers = [
      ...recipients.filter(isTopic).slice(0, 1),
      ...recipients.filter((recipient) => !isTopic(recipient)).slice(0, 10),
    ].map((address) => ({ subscriptionType: isTopic(address) ? 'SNS' : 'EMAIL', address }));
    new CfnBudget(this, 'Budget', {
      // It has no name: other recipients replace it, and two budgets cannot have the same name.
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      },
      notificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
        notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold: 100 },
        subscribers,
      })),
    });
  }
}

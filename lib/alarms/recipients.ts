import { Annotations, Aws } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { budgetTopic, isTopic, NO_RECIPIENTS, recipientLists } from '../settings/monitoring.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * The recipients of a stage's alarms: SNS topics from the settings, and topics of the stack for
 * e-mail addresses. Some alarms page, because someone must act at once; the others inform.
 */
export class AlarmRecipients extends Construct {
  readonly page: readonly IAlarmAction[];
  readonly inform: readonly IAlarmAction[];
  /** The topic of the e-mail addresses to which alarms inform. */
  readonly informTopic: Topic | undefined;

  constructor(scope: Construct, id: string, { alarmRecipients }: Settings) {
    super(scope, id);
    if (alarmRecipients === NO_RECIPIENTS) {
      Annotations.of(this).addWarningV2(
        'customer-data-api:noAlarmRecipients',
        'Alarms of this stage reach nobody: alarmRecipients is "none".',
      );
    }
    const { page, inform } = recipientLists(alarmRecipients);
    const informed = this.#topicsFor('Inform', inform);
    this.page = this.#topicsFor('Page', page).map((topic) => new SnsAction(topic));
    this.inform = informed.map((topic) => new SnsAction(topic));
    this.informTopic = informed.find((topic) => topic instanceof Topic);
  }

  #topicsFor(id: string, recipients: readonly string[]): ITopic[] {
    const topicArns = recipients.filter(isTopic);
    const addresses = recipients.filter((recipient) => !isTopic(recipient));
    const topics = topicArns.map((arn, index) => Topic.fromTopicArn(this, `${id}${index}`, arn));
    if (addresses.length === 0) return topics;
    const topic = new Topic(this, id, { enforceSSL: true });
    // An explicit policy replaces the default one, which permits the account's alarms to publish.
    letPublish(topic, 'cloudwatch.amazonaws.com');
    for (const address of addresses) topic.addSubscription(new EmailSubscription(address));
    return [...topics, topic];
  }
}

/** Lets a service of AWS publish for this account. */
function letPublish(topic: Topic, service: string): void {
  topic.grantPublish(
    new ServicePrincipal(service).withConditions({
      StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
    }),
  );
}

/** Reports what the account has spent above a monthly budget, and what AWS forecasts. */
export class Budget extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { alarmRecipients, monthlyBudget, account }: Settings,
    ofStack: Topic | undefined,
  ) {
    super(scope, id);
    if (!monthlyBudget) return;
    const { inform: recipients } = recipientLists(alarmRecipients);
    const address = ofStack?.topicArn ?? budgetTopic(recipients, account);
    if (address === undefined) {
      Annotations.of(this).addWarningV2(
        'customer-data-api:noBudgetRecipients',
        'monthlyBudget has no effect: alarmRecipients names nobody whom AWS could tell.',
      );
      return;
    }
    const untold = recipients.filter((recipient) => isTopic(recipient) && recipient !== address);
    if (untold.length > 0) {
      Annotations.of(this).addWarningV2(
        'customer-data-api:budgetTopics',
        `AWS Budgets tells one topic, so these do not learn of costs: ${untold.join(', ')}.`,
      );
    }
    const budget = new CfnBudget(this, 'Budget', {
      // It has no name: other recipients replace it, and two budgets cannot have the same name.
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      },
      notificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
        notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold: 100 },
        subscribers: [{ subscriptionType: 'SNS', address }],
      })),
    });
    if (!ofStack) return;
    letPublish(ofStack, 'budgets.amazonaws.com');
    budget.node.addDependency(ofStack);
  }
}

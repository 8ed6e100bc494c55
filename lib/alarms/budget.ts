import { Annotations } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';
import { NO_RECIPIENTS } from '../settings/monitoring.ts';
import type { Settings } from '../settings/settings.ts';

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

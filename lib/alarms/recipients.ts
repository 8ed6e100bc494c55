import { Annotations, Aws } from 'aws-cdk-lib';
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { isTopic, NO_RECIPIENTS, recipientLists } from '../settings/monitoring.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * The recipients of a stage's alarms: SNS topics from the settings, and topics of the stack for
 * e-mail addresses. Some alarms page, because someone must act at once; the others inform.
 */
export class AlarmRecipients extends Construct {
  readonly page: readonly IAlarmAction[];
  readonly inform: readonly IAlarmAction[];

  constructor(scope: Construct, id: string, { alarmRecipients }: Settings) {
    super(scope, id);
    if (alarmRecipients === NO_RECIPIENTS) {
      Annotations.of(this).addWarningV2(
        'customer-data-api:noAlarmRecipients',
        'Alarms of this stage reach nobody: alarmRecipients is "none".',
      );
    }
    const { page, inform } = recipientLists(alarmRecipients);
    this.page = this.#topicsFor('Page', page).map((topic) => new SnsAction(topic));
    this.inform = this.#topicsFor('Inform', inform).map((topic) => new SnsAction(topic));
  }

  #topicsFor(id: string, recipients: readonly string[]): ITopic[] {
    const topicArns = recipients.filter(isTopic);
    const addresses = recipients.filter((recipient) => !isTopic(recipient));
    const topics = topicArns.map((arn, index) => Topic.fromTopicArn(this, `${id}${index}`, arn));
    if (addresses.length === 0) return topics;
    const topic = new Topic(this, id, { enforceSSL: true });
    // An explicit policy replaces the default one, which permits the account's alarms to publish.
    topic.grantPublish(
      new ServicePrincipal('cloudwatch.amazonaws.com').withConditions({
        StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
      }),
    );
    for (const address of addresses) topic.addSubscription(new EmailSubscription(address));
    return [...topics, topic];
  }
}

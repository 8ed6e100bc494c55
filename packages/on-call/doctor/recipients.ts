import type { StackResourceSummary } from '@aws-sdk/client-cloudformation';
import {
  GetTopicAttributesCommand,
  NotFoundException,
  paginateListSubscriptionsByTopic,
  SNSClient,
  type Subscription,
} from '@aws-sdk/client-sns';
import { awsClient, type Deployment } from 'customer-data-api-deployment';
import { type CheckResult, result } from './results.ts';
import { templateResources } from './template.ts';

/** AWS's own key for topics, whose policy nobody can change: CloudWatch may not use it. */
const AWS_KEY = /(?:^|:)alias\/aws\/sns$/;

/** The account of a stack, if AWS said it, and its resources. */
interface Stack {
  readonly account: string | undefined;
  readonly resources: readonly StackResourceSummary[];
}

/** Finds topics to which alarms cannot publish, and addresses that do not receive them. */
export async function* checkRecipients(
  deployment: Deployment,
  topics: Iterable<string>,
  { account, resources }: Stack,
): AsyncGenerator<CheckResult> {
  const addresses = await addressesByTopic(deployment, resources);
  for (const topic of topics) {
    try {
      yield* checkTopic(topic, account, addresses.get(topic) ?? []);
    } catch (error) {
      if (!(error instanceof NotFoundException)) throw error;
      yield result('lostTopic', { topic });
    }
  }
}

async function* checkTopic(
  topic: string,
  account: string | undefined,
  addresses: readonly string[],
): AsyncGenerator<CheckResult> {
  const [, , , Region = '', owner] = topic.split(':');
  if (account !== undefined && owner !== account) {
    return yield result('foreignTopic', { topic });
  }
  using client = awsClient('sns', SNSClient, { Region });
  const command = new GetTopicAttributesCommand({ TopicArn: topic });
  const { KmsMasterKeyId: key = '' } = (await client.send(command)).Attributes ?? {};
  if (AWS_KEY.test(key)) return yield result('unusableKey', { topic, key });
  if (key) yield result('ownKey', { topic, key });
  const subscriptions: Subscription[] = [];
  for await (const page of paginateListSubscriptionsByTopic({ client }, { TopicArn: topic })) {
    subscriptions.push(...(page.Subscriptions ?? []));
  }
  const confirmed = subscriptions.filter(isConfirmed);
  const missing = addresses.filter((address) => subscriptionsOf(address, confirmed).length === 0);
  for (const address of missing) yield missingAddress(topic, address, subscriptions);
  if (missing.length > 0) return;
  yield confirmed.length > 0
    ? result('alarmsReach', { topic, recipients: confirmed.length })
    : result('unconfirmedSubscription', { topic });
}

/** A subscription that is not confirmed has a word instead of its ARN. */
const isConfirmed = ({ SubscriptionArn }: Subscription) => SubscriptionArn?.startsWith('arn:');

/** Finds the subscriptions of an address, whose case does not count. */
function subscriptionsOf(
  address: string,
  subscriptions: readonly Subscription[],
): readonly Subscription[] {
  const lowerCase = address.toLowerCase();
  return subscriptions.filter(({ Endpoint }) => Endpoint?.toLowerCase() === lowerCase);
}

function missingAddress(
  topic: string,
  address: string,
  subscriptions: readonly Subscription[],
): CheckResult {
  const found = subscriptionsOf(address, subscriptions);
  // SNS lists one that was removed beside the one that was asked for again.
  const isPending = found.some(({ SubscriptionArn }) => SubscriptionArn === 'PendingConfirmation');
  const subscription = { topic, address };
  return result(isPending ? 'pendingSubscription' : 'noSubscription', {
    ...subscription,
    subscription,
  });
}

/** The part of a subscription that is read. */
interface EmailSubscription {
  readonly Endpoint: string;
  readonly TopicArn: { readonly Ref: string };
}

/** Reads the e-mail addresses of the stack, by the ARN of their topic. */
async function addressesByTopic(
  deployment: Deployment,
  resources: readonly StackResourceSummary[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const arns = new Map(
    resources.map(({ LogicalResourceId, PhysicalResourceId }) => [
      LogicalResourceId,
      PhysicalResourceId,
    ]),
  );
  const subscriptions = await templateResources<EmailSubscription>(
    deployment,
    'AWS::SNS::Subscription',
  );
  const byTopic = Map.groupBy(subscriptions, ([, { TopicArn }]) => arns.get(TopicArn?.Ref) ?? '');
  return new Map(
    [...byTopic].map(([topic, same]) => [
      topic,
      same.flatMap(([, { Endpoint }]) => Endpoint ?? []),
    ]),
  );
}

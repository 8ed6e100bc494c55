import type { Schedule } from '@aws-sdk/client-cloudwatch';
import { counted, type Finding, findingText } from 'customer-data-api/configuration';
import type { Effect } from 'customer-data-api/effects';
import { effectSentence, joined, type Parts, say } from 'customer-data-api/sentences';
import { attributesLine } from 'customer-data-api/stack';
import { shellWords, suggested, suggesting } from 'customer-data-api-deployment/program';
import { describeRevokedUse, type RefusedAppId } from 'customer-data-api-editor/clients';
import type { FactsIn } from '../filled.ts';
import { describeWaiting } from '../promo-events/words.ts';

/* The words of what doctor finds, each in one or two sentences: what is wrong, and what to do. */

/**
 * `error`: the deployment lacks something. `warning`: worth knowing. `unchecked`: AWS did not say.
 */
export type Status = 'ok' | 'warning' | 'error' | 'unchecked';

/**
 * Words a result with a status. Facts are in braces, a suggested command in backticks. The text
 * ends in the section of the documents, if there is one.
 */
const wording =
  (status: Status) =>
  <const TText extends string>(text: TText, document?: string) => ({ status, text, document });
const [ok, warning, error] = [wording('ok'), wording('warning'), wording('error')];

/**
 * The executions that Lambda keeps for functions without a reservation. An account that has fewer
 * in total is new.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
export const UNRESERVABLE = 100;

const ENCRYPTED_TOPICS = 'deploy.md#before-the-first-app-goes-live';
const REQUEST_INCREASE = 'Request an increase of "Concurrent executions" in Service Quotas';

const OF_ALARMS = {
  silentAlarms: error(
    'Alarms that notify nobody: {alarms}. Set alarmRecipients and deploy, or enable their actions.',
  ),
  foreignTopic: warning(
    '{topic} is in another account: check there that it lets CloudWatch publish, and who receives it.',
  ),
  unusableKey: error(
    "CloudWatch cannot publish to {topic}, which is encrypted with AWS's own key {key}. Use a key of your own, or none:",
    ENCRYPTED_TOPICS,
  ),
  ownKey: warning(
    '{topic} is encrypted with the key {key}, whose policy must let CloudWatch use it:',
    ENCRYPTED_TOPICS,
  ),
  lostTopic: error('{topic} does not exist. Correct alarmRecipients, and deploy.'),
  noSubscription: error(
    '{address} is not subscribed to {topic}: it did not confirm within 48 hours, or has unsubscribed. To subscribe it again: {subscription}',
  ),
  pendingSubscription: error(
    '{address} has not confirmed its subscription to {topic}. Its reader must open the link in the e-mail from AWS, which is valid for 48 hours. To send it again: {subscription}',
  ),
  unconfirmedSubscription: error(
    'Nobody has confirmed a subscription to {topic}. Recipients must open the link in the e-mail from AWS.',
  ),
  alarmsReach: ok('Alarms reach {recipients} of {topic}.'),
  mutedAlarms: error(
    'The mute rule {rule} silences {alarms} until {end}. An alarm that goes on in this time and is still on at its end notifies then: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-mute-rules-behaviour.html. Delete the rule to hear it now.',
  ),
  noMutedAlarms: ok('No mute rule silences an alarm.'),
};

const OF_QUEUES = {
  deadLetters: error(
    'The dead-letter queue has {messages}, not stored. Look at them: `queue show`',
  ),
  unpublished: error('{events} did not reach the event bus. Look at them: `queue show`'),
  unrecorded: error(
    '{letters} of the history: changes of clients that are not recorded. Publish these clients. SQS deletes the letters after a day.',
  ),
  waiting: error('{waiting} If the number does not fall:', 'runbook.md#promoeventswaiting'),
  noDeadLetters: ok('There are no dead letters.'),
};

const OF_CLIENTS = {
  lockedOut: error('{clientId}: {access}'),
  acceptsAllAppClients: error('{clientId}: {access}'),
  foreignAppClients: error('{clientId}: {access}'),
  editedRule: error('{clientId}: {access}'),
  deletedClient: error('{clientId}: {finding} `clients create {clientId}`'),
  configurationErrors: error(
    '{clientId}: {first}{more} To see what was found: `clients show {clientId}`',
  ),
  sharedAppId: warning(
    'These clients have an App-Id in common: {clientIds}. If the item of one was copied, give it its own App-Id, and revoke the other: `keys add CLIENT`',
  ),
  manualEdit: warning(
    '{clientId} was edited manually at {at}, and nothing has been published since. To see the change: {edit}',
  ),
  rolloutRunsAgain: error(
    '{clientId} runs a rollout again, as after a restore of the table. Version {version}, at {at}: {effects} To discard its candidate: `rollout stop {clientId} -m REASON`',
  ),
  validClients: ok('The configurations and App-Ids of {clients} are valid.'),
  revokedInUse: error(
    '{clientId}: {use} If it was revoked by mistake: `keys add {clientId} --from FILE`',
  ),
  noRevokedUse: ok('No revoked App-Id was logged in the last 24 hours.'),
  logsDenied: warning('Not checked: {reason}'),
};

/** The results about an account before a stage is deployed. */
const OF_ACCOUNT = {
  replacedGatewayRole: error(
    'API Gateway writes its logs as {role}, and the stack would replace this role for all APIs of the account. Set gatewayLogRole to "existing".',
  ),
  noGatewayRole: error(
    'API Gateway has no role to write its logs with, so the deployment would fail. Set gatewayLogRole to "new".',
  ),
  gatewayRole: ok('The setting gatewayLogRole is "{role}", as it must be.'),
  unreservable: error(
    `The stage reserves {reserved} concurrent executions, which leaves {left} unreserved; Lambda keeps ${UNRESERVABLE}, so the deployment would fail. ${REQUEST_INCREASE}, or lower reservedConcurrency.`,
  ),
  lowConcurrency: error(
    `The account can run {quota} functions at once. Lambda refuses further requests, and promo codes are lost. ${REQUEST_INCREASE}, to 1,000.`,
  ),
  throttledConcurrency: warning(
    `The account can run {quota} functions at once, and the {requests} requests a second that the API takes may need {needed}. ${REQUEST_INCREASE}, or lower throttling.`,
  ),
  concurrency: ok('The account can run {quota} functions at once.'),
  keptAttributes: error(
    'The user pool has {attributes}, and Cognito removes no attribute: if the stack declared it, the deployment fails. Write {userAttributes}.',
  ),
  fixedAttributes: error(
    'In the user pool, {attributes} is not a string that can change, and Cognito changes no attribute. Use another name in userAttributes.',
  ),
  emptyClaim: error(
    'The user pool does not have {claim} yet, so every user would be refused. Deploy userAttributes without this userIdClaim, let your backend set the attribute of each user, then deploy the claim.',
  ),
  addedAttributes: ok('The deployment adds {attributes} to the user pool, for good.'),
  attributes: ok('The user pool has the attributes of userAttributes.'),
  writableClaim: error(
    'Customers can write {claim} themselves, and so apply codes to the accounts of others, with these app clients: {appClients}. Take it out of their WriteAttributes, or set userIdClaim to another claim.',
  ),
  claimByTrigger: warning(
    'The user pool has no attribute {claim}: a trigger makes the claim. It must not take it from what customers can write.',
  ),
  safeClaim: ok('No customer can choose {claim} freely.'),
};

/** The words of all results by their codes, by which programs tell them apart. */
export const WORDS = {
  ...OF_ALARMS,
  ...OF_QUEUES,
  ...OF_CLIENTS,
  ...OF_ACCOUNT,
  awsFailed: wording('unchecked')('{reason}'),
};

/** The formats of facts by their names. */
export const FORMATS = {
  alarms: firstOf('other alarm'),
  appClients: firstOf('other app client'),
  clientIds: firstOf('other client'),
  clients: counting('client'),
  recipients: counting('recipient'),
  messages: counting('message'),
  events: counting('event'),
  letters: counting('dead letter'),
  waiting: (count: number) => [describeWaiting(count)],
  attributes: (names: readonly string[]) => [names.map((name) => `custom:${name}`).join(', ')],
  userAttributes: (names: readonly string[]) => [attributesLine(names)],
  first: (one: Finding) => say`${findingText(one)}`,
  more: (count: number) => (count > 0 ? [` And ${counted(count, 'more error')}.`] : []),
  finding,
  /** A finding about who may call, with the app clients of the deployment. */
  access: (one: {
    readonly clientId: string;
    readonly finding: Finding;
    readonly appClients: readonly string[];
  }) => {
    const { clientId, appClients } = one;
    const [name] = one.finding.path;
    const text = finding(one.finding);
    if (name === 'appIds') return suggesting(text, 'keys', 'add', clientId, '--from', 'FILE');
    if (name !== 'userPoolClientIds') return say`${findingText(one.finding)}`;
    // The only one of the deployment, or a placeholder for some of several.
    const chosen = appClients.length === 1 ? appClients : ['APP_CLIENT'];
    return suggesting(text, 'clients', 'set-app-clients', clientId, ...chosen);
  },
  /** A version with the one before it, if that is still recorded. */
  edit: ({ clientId, version, before }: ManualEdit) => {
    const words =
      before === undefined
        ? ['history', clientId]
        : ['diff', `${clientId}@${before}`, `${clientId}@${version}`];
    return [{ command: suggested('config', ...words) }];
  },
  effects: (all: readonly Effect[]) => all.flatMap((one) => effectSentence(one)),
  use: (one: RefusedAppId) => [describeRevokedUse(one)],
  subscription: ({ topic, address }: { readonly topic: string; readonly address: string }) => {
    const [, , , region = ''] = topic.split(':');
    const words = ['--topic-arn', topic, '--region', region, '--protocol', 'email'];
    const endpoint = shellWords([...words, '--notification-endpoint', address]);
    return [{ command: `aws sns subscribe ${endpoint}` }];
  },
  /** A window of a mute rule; `until` is in its time zone, and undefined if it recurs. */
  end: ({ until, Expression = '', Duration = '', Timezone = 'UTC' }: MuteWindow) => [
    until === undefined
      ? `the end of its window (${Expression}, ${Duration}, ${Timezone})`
      : `${until} (${Timezone})`,
  ],
};

interface ManualEdit {
  readonly clientId: string;
  readonly version: number;
  readonly before: number | undefined;
}

type MuteWindow = Partial<Schedule> & { readonly until: string | undefined };

/** The most names in a message. */
const MAX_NAMED = 10;

/** Names the first of many, and counts the others: `A, B and 3 other alarms`. */
function firstOf(other: string) {
  return (names: readonly string[]): Parts => {
    const first = names.slice(0, MAX_NAMED).map((name) => say`${name}`);
    const others = names.length - MAX_NAMED;
    return [...joined(first, ', '), ...(others > 0 ? [` and ${counted(others, other)}`] : [])];
  };
}

function counting(noun: string) {
  return (count: number): Parts => [counted(count, noun)];
}

/** Writes a finding, with a command to follow. */
function finding(one: Finding): Parts {
  return say`${findingText(one).replace(/\.$/, ':')}`;
}

/** The codes by which programs tell results apart. */
export type ResultCode = keyof typeof WORDS;

/** The facts of a result. */
export type Facts<TCode extends ResultCode> = FactsIn<
  (typeof WORDS)[TCode]['text'],
  typeof FORMATS
>;

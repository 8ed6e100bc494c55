import type { Schedule } from '@aws-sdk/client-cloudwatch';
import { counted, type Finding, findingText } from 'customer-data-api/configuration';
import type { Effect } from 'customer-data-api/effects';
import {
  effectSentence,
  joined,
  type Parts,
  type Sentence,
  say,
} from 'customer-data-api/sentences';
import { attributesLine } from 'customer-data-api/stack';
import { shellWords, suggesting } from 'customer-data-api-deployment/program';
import { describeRevokedUse, type RefusedAppId } from 'customer-data-api-editor/clients';
import { describeWaiting } from '../promo-events/words.ts';

/* The words of what doctor finds, each in one or two sentences: what is wrong, and what to do. */

/**
 * `error`: the deployment lacks something. `warning`: worth knowing. `unchecked`: AWS did not say.
 */
export type Status = 'ok' | 'warning' | 'error' | 'unchecked';

/** Words a result with a status. The section of the documents, if any, is where its words end. */
const wording =
  (status: Status) =>
  <TFacts>(words: (facts: TFacts) => Sentence, document?: string) => ({ status, words, document });
const [ok, warning, error, unchecked] = [
  wording('ok'),
  wording('warning'),
  wording('error'),
  wording('unchecked'),
];

interface OfClient {
  readonly clientId: string;
}
interface OfTopic {
  readonly topic: string;
}
interface Counted {
  readonly count: number;
}
/** A finding in a client's item. */
interface OfFinding extends OfClient {
  readonly finding: Finding;
}
/** A finding about who may call, and the app clients of the deployment. */
interface OfAccess extends OfFinding {
  readonly appClients: readonly string[];
}
interface OfClaim {
  readonly claim: string;
}
interface OfQuota {
  /** The functions that can run at once. */
  readonly quota: number;
}

/**
 * The executions that Lambda keeps for functions without a reservation. An account that has fewer
 * in total is new.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
export const UNRESERVABLE = 100;

const ENCRYPTED_TOPICS = 'deploy.md#before-the-first-app-goes-live';
const HOW_MUTE_RULES_WORK =
  'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-mute-rules-behaviour.html';
const REQUEST_INCREASE = 'Request an increase of "Concurrent executions" in Service Quotas';

/** The words of all results by their codes, by which programs tell them apart. */
export const WORDS = {
  unchecked: unchecked(({ reason }: { readonly reason: string }) => reason),

  // Alarms
  silentAlarms: error(({ alarms }: { readonly alarms: readonly string[] }) => {
    const [subject, verb] =
      alarms.length === 1 ? ['This alarm', 'notifies'] : ['These alarms', 'notify'];
    return say`${[subject]} ${[verb]} nobody: ${firstOf(alarms, 'other alarm')}. Set alarmRecipients and deploy, or enable their actions.`;
  }),
  foreignTopic: warning(
    ({ topic }: OfTopic) =>
      `${topic} is in another account: check there that it lets CloudWatch publish, and who receives it.`,
  ),
  unusableKey: error(
    ({ topic, key }: OfTopic & { readonly key: string }) =>
      `CloudWatch cannot publish to ${topic}, which is encrypted with AWS's own key ${key}. Use a key of your own, or none:`,
    ENCRYPTED_TOPICS,
  ),
  ownKey: warning(
    ({ topic, key }: OfTopic & { readonly key: string }) =>
      `${topic} is encrypted with the key ${key}, whose policy must let CloudWatch use it:`,
    ENCRYPTED_TOPICS,
  ),
  lostTopic: error(
    ({ topic }: OfTopic) => `${topic} does not exist. Correct alarmRecipients, and deploy.`,
  ),
  noSubscription: error(
    ({
      topic,
      address,
      hasUnsubscribed,
    }: OfTopic & { readonly address: string; readonly hasUnsubscribed: boolean }) => {
      const why = hasUnsubscribed
        ? [`has unsubscribed from ${topic}`]
        : [
            `is not subscribed to ${topic}: it did not confirm within 48 hours, or has unsubscribed`,
          ];
      return say`${address} ${why}. To subscribe it again: ${subscription(topic, address)}`;
    },
  ),
  unconfirmedSubscription: error(
    ({ topic, address }: OfTopic & { readonly address?: string }): Sentence =>
      address === undefined
        ? `Nobody has confirmed a subscription to ${topic}. Recipients must open the link in the e-mail from AWS.`
        : say`${address} has not confirmed its subscription to ${[topic]}. Its reader must open the link in the e-mail from AWS, which is valid for 48 hours. To send it again: ${subscription(topic, address)}`,
  ),
  alarmsReach: ok(
    ({ topic, count }: OfTopic & Counted) =>
      `Alarms reach ${counted(count, 'recipient')} of ${topic}.`,
  ),
  mutedAlarms: error(
    ({
      rule,
      alarms,
      until,
      schedule: { Expression = '', Duration = '', Timezone = 'UTC' },
    }: {
      readonly rule: string;
      readonly alarms: readonly string[];
      /** The end of a window that does not recur, in the time zone of the schedule. */
      readonly until: string | undefined;
      readonly schedule: Partial<Schedule>;
    }) => {
      const end = until
        ? `${until} (${Timezone})`
        : `the end of its window (${Expression}, ${Duration}, ${Timezone})`;
      return say`The mute rule ${rule} silences ${firstOf(alarms, 'other alarm')} until ${[end]}. An alarm that goes on in this time and is still on at its end notifies then: ${[HOW_MUTE_RULES_WORK]}. Delete the rule to hear it now.`;
    },
  ),
  noMutedAlarms: ok(() => 'No mute rule silences an alarm.'),

  // Queues
  deadLetters: error(({ count }: Counted) =>
    suggesting(
      `The dead-letter queue has ${counted(count, 'message')}, not stored. Look at them:`,
      'queue',
      'show',
    ),
  ),
  unpublished: error(({ count }: Counted) =>
    suggesting(
      `${counted(count, 'event')} did not reach the event bus. Look at them:`,
      'queue',
      'show',
    ),
  ),
  unrecorded: error(
    ({ count }: Counted) =>
      `${counted(count, 'dead letter')} of the history: changes of clients that are not recorded. Publish these clients. SQS deletes the letters after a day.`,
  ),
  waiting: error(
    ({ count }: Counted) => `${describeWaiting(count)} If the number does not fall:`,
    'runbook.md#promoeventswaiting',
  ),
  noDeadLetters: ok(() => 'There are no dead letters.'),

  // Clients
  lockedOut: error((facts: OfAccess) => {
    const { clientId, finding } = facts;
    return finding.path[0] === 'appIds'
      ? suggesting(findingOf(clientId, finding), 'keys', 'add', clientId, '--from', 'FILE')
      : settingAppClients(facts);
  }),
  acceptsAllAppClients: error(settingAppClients),
  foreignAppClients: error(settingAppClients),
  editedRule: error((facts: OfAccess) =>
    facts.finding.path[0] === 'userPoolClientIds'
      ? settingAppClients(facts)
      : findingOf(facts.clientId, facts.finding, '.'),
  ),
  deletedClient: error(({ clientId, finding }: OfFinding) =>
    suggesting(findingOf(clientId, finding), 'clients', 'create', clientId),
  ),
  configurationErrors: error(({ clientId, finding, count }: OfFinding & Counted) => {
    const more = count > 1 ? [` And ${counted(count - 1, 'more error')}.`] : [];
    const text = say`${findingOf(clientId, finding, '.')}${more} To see what was found:`;
    return suggesting(text, 'clients', 'show', clientId);
  }),
  sharedAppId: warning(({ clientIds }: { readonly clientIds: readonly string[] }) =>
    suggesting(
      say`These clients have an App-Id in common: ${firstOf(clientIds, 'other client')}. If the item of one was copied, give it its own App-Id, and revoke the other:`,
      'keys',
      'add',
      'CLIENT',
    ),
  ),
  manualEdit: warning(
    ({
      clientId,
      version,
      at,
      before,
    }: OfClient & {
      readonly version: number;
      /** When it was recorded, in ISO 8601. */
      readonly at: string;
      /** The version before it, if it is still recorded. */
      readonly before: number | undefined;
    }) => {
      const words =
        before === undefined
          ? ['history', clientId]
          : ['diff', `${clientId}@${before}`, `${clientId}@${version}`];
      return suggesting(
        say`${clientId} was edited manually at ${[at]}, and nothing has been published since. To see the change:`,
        'config',
        ...words,
      );
    },
  ),
  rolloutRunsAgain: error(
    ({
      clientId,
      version,
      at,
      effects,
    }: OfClient & {
      /** The version that ended it, when it did, in ISO 8601, and how. */
      readonly version: number;
      readonly at: string;
      readonly effects: readonly Effect[];
    }) =>
      suggesting(
        say`${clientId} runs a rollout again, as after a restore of the table. Version ${version}, at ${[at]}: ${effects.flatMap((one) => effectSentence(one))} To discard its candidate:`,
        'rollout',
        'stop',
        clientId,
        '-m',
        'REASON',
      ),
  ),
  validClients: ok(
    ({ count }: Counted) =>
      `The configurations and App-Ids of ${counted(count, 'client')} are valid.`,
  ),
  revokedInUse: error((use: RefusedAppId) => {
    const { clientId } = use;
    const text = say`${clientId}: ${[describeRevokedUse(use)]} If it was revoked by mistake:`;
    return suggesting(text, 'keys', 'add', clientId, '--from', 'FILE');
  }),
  noRevokedUse: ok(() => 'No revoked App-Id was logged in the last 24 hours.'),
  logsDenied: warning(({ reason }: { readonly reason: string }) => `Not checked: ${reason}`),

  // The account, before a stage is deployed
  replacedGatewayRole: error(
    ({ role }: { readonly role: string }) =>
      `API Gateway writes its logs as ${role}, and the stack would replace this role for all APIs of the account. Set gatewayLogRole to "existing".`,
  ),
  noGatewayRole: error(
    () =>
      'API Gateway has no role to write its logs with, so the deployment would fail. Set gatewayLogRole to "new".',
  ),
  gatewayRole: ok(
    ({ role }: { readonly role: string }) =>
      `The setting gatewayLogRole is "${role}", as it must be.`,
  ),
  unreservable: error(
    ({ reserved, left }: { readonly reserved: number; readonly left: number }) =>
      `The stage reserves ${reserved} concurrent executions, which leaves ${left} unreserved; Lambda keeps ${UNRESERVABLE}, so the deployment would fail. ${REQUEST_INCREASE}, or lower reservedConcurrency.`,
  ),
  lowConcurrency: error(
    ({ quota }: OfQuota) =>
      `${runsAtOnce(quota)}. Lambda refuses further requests, and promo codes are lost. ${REQUEST_INCREASE}, to 1,000.`,
  ),
  throttledConcurrency: warning(
    ({
      quota,
      requests,
      needed,
    }: OfQuota & { readonly requests: number; readonly needed: number }) =>
      `${runsAtOnce(quota)}, and the ${requests} requests a second that the API takes may need ${needed}. ${REQUEST_INCREASE}, or lower throttling.`,
  ),
  concurrency: ok(({ quota }: OfQuota) => `${runsAtOnce(quota)}.`),
  keptAttributes: error(
    ({ kept, wanted }: { readonly kept: readonly string[]; readonly wanted: readonly string[] }) =>
      `The user pool has ${claims(kept)}, and Cognito removes no attribute: if the stack declared it, the deployment fails. Write ${attributesLine([...wanted, ...kept])}.`,
  ),
  fixedAttributes: error(
    ({ attributes }: { readonly attributes: readonly string[] }) =>
      `In the user pool, ${claims(attributes)} is not a string that can change, and Cognito changes no attribute. Use another name in userAttributes.`,
  ),
  emptyClaim: error(
    ({ claim }: OfClaim) =>
      `The user pool does not have ${claim} yet, so every user would be refused. Deploy userAttributes without this userIdClaim, let your backend set the attribute of each user, then deploy the claim.`,
  ),
  addedAttributes: ok(
    ({ attributes }: { readonly attributes: readonly string[] }) =>
      `The deployment adds ${claims(attributes)} to the user pool, for good.`,
  ),
  attributes: ok(() => 'The user pool has the attributes of userAttributes.'),
  writableClaim: error(
    ({ claim, appClients }: OfClaim & { readonly appClients: readonly string[] }) =>
      say`Customers can write ${[claim]} themselves, and so apply codes to the accounts of others, with these app clients: ${firstOf(appClients, 'other app client')}. Take it out of their WriteAttributes, or set userIdClaim to another claim.`,
  ),
  claimByTrigger: warning(
    ({ claim }: OfClaim) =>
      `The user pool has no attribute ${claim}: a trigger makes the claim. It must not take it from what customers can write.`,
  ),
  safeClaim: ok(({ claim }: OfClaim) => `No customer can choose ${claim} freely.`),
};

/** The codes by which programs tell results apart. */
export type ResultCode = keyof typeof WORDS;

/** The facts of a result: values, which its words format. */
export type Facts<TCode extends ResultCode> = Parameters<(typeof WORDS)[TCode]['words']>[0];

/** The most names in a message. */
const MAX_NAMED = 10;

/** Names the first of many, and counts the others: `A, B and 3 other alarms`. */
function firstOf(names: readonly string[], other: string): Parts {
  const others = names.length - MAX_NAMED;
  const first = joined(
    names.slice(0, MAX_NAMED).map((name) => say`${name}`),
    ', ',
  );
  return others > 0 ? [...first, ` and ${counted(others, other)}`] : first;
}

/** Writes a finding of a client, with a command to follow. */
function findingOf(clientId: string, finding: Finding, end = ':'): Parts {
  return say`${clientId}: ${findingText(finding).replace(/\.$/, end)}`;
}

function settingAppClients({ clientId, finding, appClients }: OfAccess): Parts {
  const text = findingOf(clientId, finding);
  // The only one of the deployment, or a placeholder for some of several.
  const chosen = appClients.length === 1 ? appClients : ['APP_CLIENT'];
  return suggesting(text, 'clients', 'set-app-clients', clientId, ...chosen);
}

function subscription(topic: string, address: string): Parts {
  const [, , , region = ''] = topic.split(':');
  const words = ['--topic-arn', topic, '--region', region, '--protocol', 'email'];
  return [
    { command: `aws sns subscribe ${shellWords([...words, '--notification-endpoint', address])}` },
  ];
}

function runsAtOnce(quota: number): string {
  return `The account can run ${quota} functions at once`;
}

function claims(attributes: readonly string[]): string {
  return attributes.map((name) => `custom:${name}`).join(', ');
}

import * as v from 'valibot';
import { ADDRESS, described, flag, listOf, matching } from './setting-types.ts';

/** The value of `alarmRecipients` for a stage without recipients. */
export const NO_RECIPIENTS = 'none';

const Recipient = matching(
  RegExp(`^(?:arn:[\\w-]+:sns:[\\w-]+:\\d{12}:[\\w-]{1,256}|${ADDRESS.source})$`),
  'must be an e-mail address or the ARN of an SNS topic, such as arn:aws:sns:eu-central-1:123456789012:alarms',
);

const Recipients = listOf(Recipient, 'must be a list of recipients');

/** The recipients who are paged by alarms, and those who are told of the others. */
interface Lists {
  readonly page: readonly string[];
  readonly inform: readonly string[];
}

/** Returns the recipients that a setting names. One list is for both. */
export function recipientLists(
  setting: Lists | readonly string[] | typeof NO_RECIPIENTS = NO_RECIPIENTS,
): Lists {
  if (setting === NO_RECIPIENTS) return { page: [], inform: [] };
  return 'page' in setting ? setting : { page: setting, inform: setting };
}

/** Tells the topics among recipients from the e-mail addresses. */
export function isTopic(recipient: string): boolean {
  return recipient.startsWith('arn:');
}

/**
 * The retentions that CloudWatch accepts, from the month for which `keys list` counts:
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html
 */
const LOG_RETENTION_DAYS = [
  30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** The settings of alarms and logs. */
export const MONITORING = {
  alarmRecipients: described(
    'Who receives alarms: e-mail addresses and ARNs of SNS topics, or "none". Required with retainData. An object has one list for page, the alarms for which somebody must act at once, also when they are over, and one for inform, all others.',
    v.optional(
      v.union(
        [
          v.literal(NO_RECIPIENTS),
          Recipients,
          v.strictObject({ page: Recipients, inform: Recipients }),
        ],
        'must be a list of e-mail addresses and ARNs of SNS topics, an object with such a list for page and for inform, or "none"',
      ),
    ),
  ),
  runbookUrl: described(
    'Where those on call read docs/runbook.md: alarms lead there.',
    v.optional(
      matching(
        /^(?:https:\/\/[^\s#]+|docs\/runbook\.md)$/,
        'must be the https URL of your copy of docs/runbook.md',
      ),
      'docs/runbook.md',
    ),
  ),
  heartbeat: described(
    'Whether a function calls the API every five minutes, without a token, and pages if the service does not answer. Without it, an outage is noticed by the calls of apps only. Defaults to the value of retainData. To switch it on again, deploy with --import-existing-resources: its log group is still there.',
    v.optional(flag()),
  ),
  checkPromoEvents: described(
    'Whether a function checks the guarantees about promo codes on the stream of the PromoEvents table, and pages if one is broken. Switch it off if an existing promoEventsTable has a reader of yours: DynamoDB permits two readers of a stream, and the function that publishes promo events is one. Or if it is a replica of a global table: what expires in another Region looks like a removal. To switch it on again, deploy with --import-existing-resources: its log group is still there.',
    v.optional(flag(), true),
  ),
  logRetentionDays: described(
    'After how many days CloudWatch deletes the lines of all logs.',
    v.optional(
      v.picklist(LOG_RETENTION_DAYS, `must be one of ${LOG_RETENTION_DAYS.join(', ')}`),
      30,
    ),
  ),
  accessLogs: described(
    'Whether the gateway logs each request. It needs a role of the whole account: gatewayLogRole says where it comes from. To switch it on again, deploy with --import-existing-resources: its log group is still there.',
    v.optional(flag(), false),
  ),
  gatewayLogRole: described(
    'With accessLogs: new if the stack creates the role with which API Gateway writes logs, sets it for the account and leaves it there; existing if the account has one.',
    v.optional(v.picklist(['new', 'existing'], 'must be new or existing')),
  ),
};

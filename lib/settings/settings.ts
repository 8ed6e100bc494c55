import * as v from 'valibot';
import { CAPACITY, MAX_CONCURRENCY, OPERATION_NAMES } from './capacity.ts';
import { ENDPOINT } from './endpoint.ts';
import { EXISTING_TABLES } from './existing-tables.ts';
import { MONITORING } from './monitoring.ts';
import { namedElsewhere, PLACE } from './place.ts';
import { described, flag, integer } from './setting-types.ts';
import { attributeOfClaim, attributesLine, isSentBy, USERS } from './users.ts';

/** The settings of a stage: those in `stages/<stage>.json`, and defaults. */
export type Settings = v.InferOutput<typeof SettingsSchema>;

/** Returns whether new versions of functions get a part of the calls first. */
export function isGradual({ gradualDeployment, retainData }: Settings): boolean {
  return gradualDeployment ?? retainData;
}

/** Settings are invalid. The message has a line per problem, with the permitted values. */
export class SettingsError extends Error {
  readonly code = 'settings';
}

/** Claims that users of the new user pool cannot change, and `none`. */
const UNCHANGEABLE = /^(?:sub|cognito:username|none|custom:\w{1,20})$/;

/** Settings of the user pool that the stack creates. */
const NEW_USER_POOL = [
  ...(['signInIdentifiers', 'appClients', 'selfSignUp', 'email'] as const),
  ...(['userPoolPlan', 'userAttributes'] as const),
];

const DAY_SECONDS = 24 * 60 * 60;

/** The schema of a stage file. */
export const SettingsSchema = v.pipe(
  v.strictObject({
    $schema: v.optional(
      v.pipe(v.string(), v.description('The JSON Schema of this file, for editors.')),
    ),
    ...PLACE,
    retainData: described(
      'Whether the tables, the user pool, the queues and the logs outlive the stack. It also protects the tables, the user pool and the stack from deletion.',
      v.optional(flag(), true),
    ),
    ...MONITORING,
    ...USERS,
    ...EXISTING_TABLES,
    requestDateWindowSeconds: described(
      'How far Request-Date may be from the time of the server, in either direction.',
      v.optional(integer(60, 365 * DAY_SECONDS), DAY_SECONDS),
    ),
    configCacheSeconds: described(
      "How long a function caches a client's item.",
      v.optional(integer(0, 900), 10),
    ),
    ...CAPACITY,
    promoEventRetentionDays: described(
      'After how many days DynamoDB deletes a promo event; never by default. A code that is sent again after that is applied again.',
      v.optional(integer(30, 3650)),
    ),
    storeDeviceIds: described(
      'Whether promo events have the Device-Id of their request, which can be an advertising id: in the queues, in the PromoEvents table and on the event bus. Stores may require that customers consent to it.',
      v.optional(flag(), false),
    ),
    ...ENDPOINT,
    gradualDeployment: described(
      'Whether a new version of a function gets 10 % of the calls for five minutes before it gets all, and is rolled back if they fail. Defaults to the value of retainData.',
      v.optional(flag()),
    ),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const message of namedElsewhere(dataset.value)) addIssue({ message });
  }),
  v.check(
    ({ retainData, alarmRecipients }) => !retainData || alarmRecipients !== undefined,
    'alarmRecipients is required with retainData: list e-mail addresses or SNS topics, or write "none"',
  ),
  v.check(
    ({ accessLogs, gatewayLogRole }) => accessLogs === (gatewayLogRole !== undefined),
    'accessLogs needs gatewayLogRole, which is used for nothing else: write "existing" if the settings of API Gateway have a CloudWatch log role ARN in this account and region, otherwise "new"',
  ),
  v.check(
    ({ userPoolId, userPoolClientIds }) => !userPoolId === !userPoolClientIds,
    'userPoolId and userPoolClientIds belong together: set both for an existing user pool, or neither for a new one',
  ),
  v.check(
    ({ userPoolId, ...settings }) => !userPoolId || !NEW_USER_POOL.some((name) => settings[name]),
    `${NEW_USER_POOL.join(', ')} describe a new user pool; remove them or userPoolId`,
  ),
  v.check(
    ({ requireUserPoolClientIds, userPoolClientIds, appClients = [] }) =>
      requireUserPoolClientIds !== undefined || (userPoolClientIds ?? appClients).length < 2,
    'requireUserPoolClientIds is required with several app clients: write true to refuse every request of a client whose item does not name its app clients in userPoolClientIds, or false to accept the tokens of all of them for such a client, including those of other tenants',
  ),
  v.check(
    ({ selfSignUp, signInIdentifiers = [] }) =>
      !selfSignUp || signInIdentifiers.some((name) => name !== 'username'),
    'selfSignUp needs email or phone in signInIdentifiers: Cognito sends a code there, and nobody else can confirm a user who signed up',
  ),
  v.check(
    ({ retainData, selfSignUp, signInIdentifiers, email }) =>
      !(retainData && selfSignUp && signInIdentifiers?.includes('email')) || email !== undefined,
    'selfSignUp by e-mail needs email with retainData: after about 50 e-mails a day, Cognito sends no more, and new users cannot be confirmed',
  ),
  v.check(
    ({ email }) => !email || isSentBy(email.from, email.identityArn),
    'email.from must be an address of email.identityArn: of its domain or a subdomain, or the address itself. Amazon SES would send nothing',
  ),
  v.check(
    ({ userPoolId, userIdClaim }) => userPoolId !== undefined || UNCHANGEABLE.test(userIdClaim),
    'userIdClaim must be sub, cognito:username, none or custom:NAME with a new user pool, the name with at most 20 letters, digits and underscores: users can change any other claim, and so apply codes to the accounts of others',
  ),
  v.check(
    ({ userPoolId, userIdClaim, userAttributes = [] }) => {
      const attribute = attributeOfClaim(userIdClaim);
      return (
        userPoolId !== undefined || attribute === undefined || userAttributes.includes(attribute)
      );
    },
    ({ input: { userIdClaim, userAttributes = [] } }) =>
      `userIdClaim ${userIdClaim} needs its attribute: write ${attributesLine([...userAttributes, attributeOfClaim(userIdClaim) ?? ''])}. If the stage exists and its user pool lacks the attribute, deploy that line before the claim`,
  ),
  v.check(
    ({ rateLimits: { perAddress, perAddressAndAppId } }) => perAddressAndAppId <= perAddress,
    'rateLimits.perAddressAndAppId must not exceed rateLimits.perAddress: it would never be reached',
  ),
  v.check(
    ({ blockedAddresses, countedRules, webAcl, retainData }) =>
      !(blockedAddresses || countedRules) || (webAcl ?? retainData),
    'blockedAddresses and countedRules need webAcl, which has the rules',
  ),
  v.check(
    ({ reservedConcurrency }) => throttledBy(reservedConcurrency) === undefined,
    ({ input: { reservedConcurrency } }) => {
      const [name, batches] = throttledBy(reservedConcurrency) ?? [];
      return `reservedConcurrency.${name} must be at least ${batches}: the queue delivers that many batches at the same time, and those that are throttled would become dead letters`;
    },
  ),
  v.check(
    ({ provisionedConcurrency, reservedConcurrency }) =>
      OPERATION_NAMES.every((name) => {
        const { [name]: provisioned = 0 } = provisionedConcurrency;
        const { [name]: reserved = provisioned } = reservedConcurrency;
        return provisioned <= reserved;
      }),
    'provisionedConcurrency of an operation must not exceed its reservedConcurrency: AWS would refuse it',
  ),
  v.check(
    ({ promoEventRetentionDays: days, requestDateWindowSeconds }) =>
      days === undefined || days >= deduplicationDays(requestDateWindowSeconds),
    ({ input }) =>
      `promoEventRetentionDays must be at least ${deduplicationDays(input.requestDateWindowSeconds)} with this requestDateWindowSeconds: otherwise a duplicate request could arrive after its event has expired, and apply the code again`,
  ),
);

/** Finds a function with less concurrency than its queue needs, and the least that it needs. */
function throttledBy(reserved: Readonly<Record<string, number | undefined>>) {
  return Object.entries(MAX_CONCURRENCY).find(
    ([name, batches]) => Number(reserved[name]) < batches,
  );
}

/**
 * Returns the days within which a duplicate can arrive. `Request-Date` may be off by the window in
 * either direction. The two queues may hold a request for 14 days in total, and for another 14
 * after a redrive.
 */
function deduplicationDays(windowSeconds: number): number {
  return Math.ceil((2 * windowSeconds) / DAY_SECONDS) + 2 * 14;
}

/**
 * Checks the settings of a stage.
 *
 * @throws SettingsError if a value is invalid or a name unknown: a misspelled setting would
 *   silently deploy with its default.
 */
export function readSettings(settings: unknown): Settings {
  const result = v.safeParse(SettingsSchema, settings);
  if (result.success) return result.output;
  throw new SettingsError(result.issues.map(describe).join('\n'));
}

function describe(issue: v.BaseIssue<unknown>): string {
  const name = v.getDotPath(issue);
  if (!name) return `Settings: ${issue.message}.`;
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    const known = namesBeside(issue).filter((key) => key !== '$schema');
    return `There is no setting ${JSON.stringify(name)}. The settings are ${known.join(', ')}.`;
  }
  if (issue.type === 'strict_object') {
    const problem = issue.received === 'undefined' ? 'is missing' : 'must be an object';
    return `The setting ${name} ${problem}.`;
  }
  return `The setting ${name} ${issue.message}; it is ${JSON.stringify(issue.input)}.`;
}

/** Returns the permitted names in place of an unknown one. */
function namesBeside({ path = [] as never }: v.BaseIssue<unknown>): string[] {
  let schema: object = SettingsSchema;
  for (const { key } of path.slice(0, -1)) schema = unwrapped(entriesOf(schema)[String(key)] ?? {});
  return Object.keys(entriesOf(schema));
}

function entriesOf(schema: object): Readonly<Record<string, object>> {
  return 'entries' in schema ? (schema.entries as Record<string, object>) : {};
}

function unwrapped(schema: object): object {
  return 'wrapped' in schema ? unwrapped(schema.wrapped as object) : schema;
}

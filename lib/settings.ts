import * as v from 'valibot';
import { ANY_ORIGIN } from '../functions/api/cors.ts';
import { nameOf } from '../functions/api/operation.ts';
import { OPERATIONS } from '../functions/operations.ts';
import { MAX_CONCURRENCY } from '../functions/store-queued-promo-events/definition.ts';

/** The settings of a stage: what `stages/<stage>.json` says, with defaults for the rest. */
export type Settings = v.InferOutput<typeof SettingsSchema>;

/** Settings are invalid. The message has one line per fault, which says what is allowed. */
export class SettingsError extends Error {}

/** The value of `alarmRecipients` for a stage whose alarms reach nobody. */
export const NO_RECIPIENTS = 'none';

/** The memory of a function unless a setting changes it: [performance](../docs/performance.md) has the measurement behind it. */
export const DEFAULT_MEMORY_MEGABYTES = 512;

/** The name of the function that stores queued promo events. */
export const QUEUE_FUNCTION = 'StoreQueuedPromoEvents';

/** The name of the function that records versions of configurations. */
export const RECORDING_FUNCTION = 'RecordConfigurationVersions';

const DAY_SECONDS = 24 * 60 * 60;

function integer(min: number, max: number) {
  const expected = `must be an integer from ${min} to ${max}`;
  return v.pipe(
    v.number(expected),
    v.integer(expected),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  );
}

function matching(pattern: RegExp, expected: string) {
  return v.pipe(v.string(expected), v.regex(pattern, expected));
}

function listOf<TSchema extends v.GenericSchema>(item: TSchema, expected: string) {
  return v.pipe(
    v.array(item, expected),
    v.minLength(1, expected),
    v.checkItems(isFirst, 'must not be repeated'),
  );
}

function isFirst<TItem>(item: TItem, index: number, items: readonly TItem[]): boolean {
  return items.indexOf(item) === index;
}

const AppClientId = matching(
  /^[\w+]{1,128}$/,
  'must be the id of a Cognito app client, such as 1example23456789',
);
const TableName = matching(/^[\w.-]{3,255}$/, 'must be the name of a DynamoDB table');
const StreamArn = matching(
  /^arn:[\w-]+:dynamodb:[\w-]+:\d{12}:table\/[\w.-]+\/stream\/[\w:.-]+$/,
  'must be the ARN of the stream of a DynamoDB table',
);
const Recipient = matching(
  /^(?:arn:[\w-]+:sns:[\w-]+:\d{12}:[\w-]{1,256}|[^\s@]+@[^\s@]+\.[^\s@]+)$/,
  'must be an e-mail address or the ARN of an SNS topic, such as arn:aws:sns:eu-central-1:123456789012:alarms',
);

const Limits = v.strictObject({
  requestsPerSecond: integer(1, 1_000_000),
  burst: integer(1, 1_000_000),
});

// https://docs.aws.amazon.com/waf/latest/APIReference/API_RateBasedStatement.html
const RateLimit = integer(10, 2_000_000_000);

/**
 * Phones share the addresses of their carriers, and an app that ignores a 429 loses a promo code. A session of an app makes
 * about three requests: these limits are for 700 customers of one tenant within five minutes, and for five such tenants.
 */
const RATE_LIMITS = { perAddress: 10_000, perAddressAndAppId: 2000 };

const OPERATION_IDS = OPERATIONS.map(({ paths: [{ operationId }] }) => operationId);
const OPERATION_NAMES = OPERATIONS.map(nameOf);
const FUNCTIONS = [...OPERATION_NAMES, QUEUE_FUNCTION, RECORDING_FUNCTION];

/** An object that may have each of the names, with the same kind of value. */
function objectOf<TSchema extends v.GenericSchema>(names: readonly string[], value: TSchema) {
  return v.strictObject(Object.fromEntries(names.map((name) => [name, v.optional(value)])));
}

const Origin = matching(
  /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?::\d{1,5})?$/,
  'must be an origin as browsers send it, such as https://shop.example.com: lower case, without a path',
);

const Recipients = listOf(Recipient, 'must be a list of recipients');

/** The schema of a stage file. */
export const SettingsSchema = v.pipe(
  v.strictObject({
    $schema: v.optional(
      v.pipe(v.string(), v.description('The JSON Schema of this file, for editors.')),
    ),
    retainData: v.pipe(
      v.optional(v.boolean('must be true or false'), true),
      v.description(
        'Whether the tables, the user pool, the queues and the logs outlive the stack. It also protects the tables, the user pool and the stack from deletion.',
      ),
    ),
    alarmRecipients: v.pipe(
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
      v.description(
        'Who receives alarms: e-mail addresses and ARNs of SNS topics, or "none". Required with retainData. An object has one list for page, the alarm that apps are not served, and one for inform, all others.',
      ),
    ),
    runbookUrl: v.pipe(
      v.optional(
        matching(
          /^(?:https:\/\/[^\s#]+|docs\/runbook\.md)$/,
          'must be the https URL of your copy of docs/runbook.md',
        ),
        'docs/runbook.md',
      ),
      v.description('Where those on call read docs/runbook.md: alarms lead there.'),
    ),
    accessLogs: v.pipe(
      v.optional(v.boolean('must be true or false'), false),
      v.description(
        'Whether the gateway logs each request. It needs a role of the whole account: gatewayLogRole says where it comes from.',
      ),
    ),
    gatewayLogRole: v.pipe(
      v.optional(v.picklist(['new', 'existing'], 'must be new or existing')),
      v.description(
        'With accessLogs: new if the stack creates the role with which API Gateway writes logs, sets it for the account and leaves it there; existing if the account has one.',
      ),
    ),
    userPoolId: v.pipe(
      v.optional(
        matching(
          /^(?:eusc-[a-z]{2}|[a-z]{2})-(?:gov-)?[a-z]+-\d_[a-zA-Z0-9]+$/,
          'must be the id of a Cognito user pool, such as eu-central-1_AbCdEfGhI',
        ),
      ),
      v.description('An existing Cognito user pool. Without it, the stack creates one.'),
    ),
    userPoolClientIds: v.pipe(
      v.optional(listOf(AppClientId, 'must be a list of ids of Cognito app clients')),
      v.description('With userPoolId: the app clients whose tokens are accepted.'),
    ),
    signInIdentifiers: v.pipe(
      v.optional(
        listOf(
          v.picklist(['username', 'email', 'phone'], 'must be username, email or phone'),
          'must be a list of username, email and phone',
        ),
      ),
      v.description(
        'What users of the new user pool sign up and sign in with: username (the default), email, phone. CANNOT CHANGE after the first deployment: Cognito does not change it in place, and a new user pool has no users.',
      ),
    ),
    appClients: v.pipe(
      v.optional(
        listOf(
          matching(/^[A-Za-z][A-Za-z0-9]{0,31}$/, 'must be 1 to 32 letters and digits'),
          'must be a list of names',
        ),
      ),
      v.description(
        'The app clients of the new user pool, one per tenant; App by default. Their ids are outputs.',
      ),
    ),
    requireUserPoolClientIds: v.pipe(
      v.optional(v.boolean('must be true or false'), false),
      v.description(
        'Whether the item of a client must have userPoolClientIds, the app clients whose tokens it accepts. Without them it then admits nobody; with false, it accepts the tokens of every app client, those of other tenants among them.',
      ),
    ),
    configsTable: v.pipe(
      v.optional(v.strictObject({ name: TableName, streamArn: StreamArn })),
      v.description(
        'An existing Configs table, such as one that was restored. Its stream must have new and old images.',
      ),
    ),
    configVersionsTable: v.pipe(
      v.optional(v.strictObject({ name: TableName })),
      v.description('An existing ConfigVersions table, such as one that was restored.'),
    ),
    promoEventsTable: v.pipe(
      v.optional(v.strictObject({ name: TableName, streamArn: StreamArn })),
      v.description(
        'An existing PromoEvents table, such as one that was restored. Its stream must have new images.',
      ),
    ),
    userIdClaim: v.pipe(
      v.optional(
        matching(
          /^[\w:.-]{1,128}$/,
          'must be the name of a claim of the ID token, such as sub, cognito:username or custom:userId, or none',
        ),
        'sub',
      ),
      v.description(
        'The claim of the ID token that must equal userId in promoCode/apply; none switches the check off.',
      ),
    ),
    requestDateWindowSeconds: v.pipe(
      v.optional(integer(60, 365 * DAY_SECONDS), DAY_SECONDS),
      v.description(
        'How far Request-Date may be from the time of the server, in either direction.',
      ),
    ),
    configCacheSeconds: v.pipe(
      v.optional(integer(0, 900), 10),
      v.description("How long a function caches a client's item."),
    ),
    throttling: v.pipe(
      v.optional(objectOf(['default', ...OPERATION_IDS], Limits), {}),
      v.description(
        'How many requests a path of an operation takes before the gateway answers 429: the rate, and how many may arrive at the same time. default is for all other paths.',
      ),
    ),
    reservedConcurrency: v.pipe(
      v.optional(objectOf(FUNCTIONS, integer(1, 1_000_000)), {}),
      v.description(
        "How many of the account's concurrent executions are kept for a function, which is also its limit. AWS refuses what leaves fewer than 100 to the rest of the account, so a new account cannot reserve any.",
      ),
    ),
    memoryMegabytes: v.pipe(
      v.optional(integer(256, 10_240), DEFAULT_MEMORY_MEGABYTES),
      v.description(
        'How much memory a function has, in megabytes. Its share of a CPU during calls grows with it: one vCPU at 1,769 MB.',
      ),
    ),
    provisionedConcurrency: v.pipe(
      v.optional(objectOf(OPERATION_NAMES, integer(1, 1_000_000)), {}),
      v.description(
        'How many execution environments of an operation are always initialised, so that their callers wait for no start. They cost money without a single call.',
      ),
    ),
    webAcl: v.pipe(
      v.optional(v.boolean('must be true or false')),
      v.description(
        'Whether a web ACL protects the API: AWS managed rules, and the rateLimits. Defaults to the value of retainData. It costs about 10 US dollars a month, and 0.60 per million requests.',
      ),
    ),
    rateLimits: v.pipe(
      v.optional(
        v.strictObject({
          perAddress: v.optional(RateLimit, RATE_LIMITS.perAddress),
          perAddressAndAppId: v.optional(RateLimit, RATE_LIMITS.perAddressAndAppId),
        }),
        RATE_LIMITS,
      ),
      v.description(
        'How many requests the web ACL lets through within five minutes from one IP address: in total, and with the same App-Id.',
      ),
    ),
    promoEventRetentionDays: v.pipe(
      v.optional(integer(30, 3650)),
      v.description(
        'After how many days DynamoDB deletes a promo event; never by default. A code that is sent again after that is applied again.',
      ),
    ),
    corsOrigins: v.pipe(
      v.optional(
        v.union(
          [v.literal(ANY_ORIGIN), listOf(Origin, 'must be a list of origins')],
          'must be a list of origins such as https://shop.example.com, or "*"',
        ),
      ),
      v.description(
        'The origins whose pages may call the API from a browser or a web view: a list such as https://shop.example.com, or "*" for all. None by default; native apps need none.',
      ),
    ),
    customDomain: v.pipe(
      v.optional(
        v.strictObject({
          name: matching(
            /^(?=.{4,64}$)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/,
            'must be a domain name in lower case, such as api.example.com',
          ),
          certificateArn: matching(
            /^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/,
            'must be the ARN of a certificate of AWS Certificate Manager',
          ),
          hostedZoneId: v.optional(
            matching(/^Z[A-Z0-9]{1,31}$/, 'must be the id of a hosted zone of Route 53'),
          ),
        }),
      ),
      v.description(
        'A domain name for the API, with a certificate in the same region. The execute-api endpoint is then disabled. With hostedZoneId, the stack creates the DNS record.',
      ),
    ),
    gradualDeployment: v.pipe(
      v.optional(v.boolean('must be true or false')),
      v.description(
        'Whether a new version of a function gets 10 % of the calls for five minutes before it gets all, and is rolled back if they fail. Defaults to the value of retainData.',
      ),
    ),
    tags: v.pipe(
      v.optional(
        v.record(
          matching(/^(?!aws:)[\w .:/=+@-]{1,128}$/, 'must be a tag key of AWS'),
          matching(/^[\w .:/=+@-]{0,256}$/, 'must be a tag value of AWS'),
        ),
        {},
      ),
      v.description('The tags of all resources.'),
    ),
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
    ({ userPoolId, signInIdentifiers, appClients }) =>
      !userPoolId || (!signInIdentifiers && !appClients),
    'signInIdentifiers and appClients describe a new user pool; remove them or userPoolId',
  ),
  v.check(
    ({ rateLimits: { perAddress, perAddressAndAppId } }) => perAddressAndAppId <= perAddress,
    'rateLimits.perAddressAndAppId must not exceed rateLimits.perAddress: it would never be reached',
  ),
  v.check(
    ({ reservedConcurrency: { [QUEUE_FUNCTION]: reserved = MAX_CONCURRENCY } }) =>
      reserved >= MAX_CONCURRENCY,
    `reservedConcurrency.${QUEUE_FUNCTION} must be at least ${MAX_CONCURRENCY}: the queue delivers that many batches at the same time, and those that are throttled would become dead letters`,
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

/**
 * The number of days in which a duplicate of a request can still arrive. The request's date may be off by the window in
 * either direction. The queue and the dead-letter queue may then hold the request for 14 days in total, and for another
 * 14 days after a redrive.
 */
function deduplicationDays(windowSeconds: number): number {
  return Math.ceil((2 * windowSeconds) / DAY_SECONDS) + 2 * 14;
}

/**
 * Checks the settings of a stage.
 *
 * @throws SettingsError if a value is invalid or a name is unknown. A misspelled setting would otherwise deploy with its
 *   default in silence.
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

/** The names that the object of an unknown name may have. */
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

import * as v from 'valibot';

/** The settings of a deployment, read from CDK context (`-c name=value`, or `context` in `cdk.json`). */
export type Settings = v.InferOutput<typeof Settings>;

/** Settings are invalid. The message has a line for each, which says what is allowed. */
export class SettingsError extends Error {}

function wholeNumber(min: number, max: number) {
  const expected = `must be a whole number from ${min} to ${max}`;
  return v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number))], expected),
    v.integer(expected),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  );
}

function matching(pattern: RegExp, expected: string) {
  return v.pipe(v.string(expected), v.regex(pattern, expected));
}

const ClientIds = v.pipe(
  v.union(
    [
      v.pipe(
        v.string(),
        v.transform((list) => list.split(',').map((id) => id.trim())),
      ),
      v.array(v.string()),
    ],
    'must be app client ids, separated by commas',
  ),
  v.minLength(1, 'must name at least one app client id'),
  v.everyItem(
    (id) => /^[\w+]{1,128}$/.test(id),
    'must be app client ids, separated by commas, such as 1example23456789,2example34567890',
  ),
);

const Settings = v.pipe(
  v.strictObject({
    stage: v.optional(
      matching(
        /^(?!test-invoke-stage$)[a-z][a-z0-9-]{0,19}$/,
        'must be 1 to 20 lower-case letters, digits and hyphens, start with a letter, and not be test-invoke-stage',
      ),
      'dev',
    ),
    userPoolId: v.optional(
      matching(
        /^(?:eusc-[a-z]{2}|[a-z]{2})-(?:gov-)?[a-z]+-\d_[a-zA-Z0-9]+$/,
        'must be the id of a Cognito user pool, such as eu-central-1_AbCdEfGhI',
      ),
    ),
    userPoolClientIds: v.optional(ClientIds),
    userIdClaim: v.optional(
      matching(
        /^[\w:.-]{1,128}$/,
        'must be the name of a claim of the ID token, such as sub, cognito:username or custom:userId, or none',
      ),
      'sub',
    ),
    requestDateWindowSeconds: v.optional(wholeNumber(60, 365 * 24 * 60 * 60), 24 * 60 * 60),
    configCacheSeconds: v.optional(wholeNumber(0, 900), 10),
    promoEventRetentionDays: v.optional(wholeNumber(30, 3650)),
    alarmTopicArn: v.optional(
      matching(
        /^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w-]{1,256}$/,
        'must be the ARN of an SNS topic, such as arn:aws:sns:eu-central-1:123456789012:alarms',
      ),
    ),
  }),
  v.check(
    ({ userPoolId, userPoolClientIds }) => !userPoolId === !userPoolClientIds,
    'userPoolId and userPoolClientIds belong together: set both for an existing user pool, or neither for a new one',
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
  return Math.ceil((2 * windowSeconds) / (24 * 60 * 60)) + 2 * 14;
}

// The context also holds keys of the CDK itself. Each of those contains a hyphen, a colon, a slash or an @.
const SETTING_NAME = /^\w+$/;

/**
 * Reads the settings from CDK context.
 *
 * @throws SettingsError when a value is invalid or a name is unknown. Without that, a misspelled setting would silently
 *   deploy with its default.
 */
export function readSettings(context: Readonly<Record<string, unknown>>): Settings {
  const settings = Object.entries(context).filter(([name]) => SETTING_NAME.test(name));
  const result = v.safeParse(Settings, Object.fromEntries(settings));
  if (result.success) return result.output;
  throw new SettingsError(result.issues.map(describe).join('\n'));
}

function describe(issue: v.BaseIssue<unknown>): string {
  const name = issue.path?.[0]?.key;
  if (name === undefined) return `Settings: ${issue.message}.`;
  if (issue.type === 'strict_object') {
    return `There is no setting ${JSON.stringify(name)}. The settings are ${Object.keys(Settings.entries).join(', ')}.`;
  }
  return `The setting ${name} ${issue.message}; it is ${JSON.stringify(issue.path?.[0]?.value)}.`;
}

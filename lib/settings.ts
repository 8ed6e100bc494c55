import * as v from 'valibot';

/** What a deployment can choose, read from CDK context (`-c name=value`, or `context` in `cdk.json`). */
export type Settings = v.InferOutput<typeof Settings>;

/** A setting is wrong: the message has one line for each, with what would be right. */
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
    'must be app client ids, separated by commas, as in 1example23456789,2example34567890',
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
        'must be the id of a Cognito user pool, as in eu-central-1_AbCdEfGhI',
      ),
    ),
    userPoolClientIds: v.optional(ClientIds),
    userIdClaim: v.optional(
      matching(
        /^[\w:.-]{1,128}$/,
        'must be the name of a claim of the ID token, as in sub, cognito:username or custom:userId, or none',
      ),
      'sub',
    ),
    requestDateWindowSeconds: v.optional(wholeNumber(60, 365 * 24 * 60 * 60), 24 * 60 * 60),
    configCacheSeconds: v.optional(wholeNumber(0, 900), 10),
    promoEventRetentionDays: v.optional(wholeNumber(30, 3650)),
    alarmTopicArn: v.optional(
      matching(
        /^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w-]{1,256}$/,
        'must be the ARN of an SNS topic, as in arn:aws:sns:eu-central-1:123456789012:alarms',
      ),
    ),
  }),
  v.check(
    ({ userPoolId, userPoolClientIds }) => !userPoolId === !userPoolClientIds,
    'userPoolId and userPoolClientIds belong together: set both for an existing user pool, or neither for a new one',
  ),
  v.check(
    ({ promoEventRetentionDays: days, requestDateWindowSeconds }) =>
      days === undefined || days >= daysOfAnApplication(requestDateWindowSeconds),
    ({ input }) =>
      `promoEventRetentionDays must be at least ${daysOfAnApplication(input.requestDateWindowSeconds)} with this requestDateWindowSeconds: the same request could come after its event was deleted, and apply the code again`,
  ),
);

/**
 * For how many days after its first arrival the same request can still come: its date may be off by the window to
 * either side, and then it may wait in the queue and the dead-letter queue, together for 14 days, and for 14 more when it was
 * moved back.
 */
function daysOfAnApplication(windowSeconds: number): number {
  return Math.ceil((2 * windowSeconds) / (24 * 60 * 60)) + 2 * 14;
}

// The command line and the library keep context of their own; its names have a hyphen, a colon, a slash or an @.
const IS_A_NAME_OF_OURS = /^\w+$/;

/**
 * Reads the settings out of CDK context.
 *
 * @throws SettingsError for a value that does not fit, and for a name that is no setting: a misspelled one would
 *   otherwise deploy with the default in silence.
 */
export function readSettings(context: Readonly<Record<string, unknown>>): Settings {
  const ours = Object.entries(context).filter(([name]) => IS_A_NAME_OF_OURS.test(name));
  const result = v.safeParse(Settings, Object.fromEntries(ours));
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

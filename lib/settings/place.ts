import * as v from 'valibot';
import { described, matching } from './setting-types.ts';

const MAX_TAGS = 50;

/**
 * Tags, as CloudFormation and IAM accept them. IAM ignores the case of keys.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-resource-tags.html
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_tags.html
 */
const Tags = v.pipe(
  v.record(
    matching(
      /^(?![aA][wW][sS]:)[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/u,
      'must be an AWS tag key: 1 to 128 letters, digits, spaces and . : / = + @ _ -, not starting with aws:',
    ),
    matching(
      /^[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,256}$/u,
      'must be an AWS tag value: 1 to 256 letters, digits, spaces and . : / = + @ _ -',
    ),
  ),
  v.check(
    (tags) => Object.keys(tags).length <= MAX_TAGS,
    `must have at most ${MAX_TAGS} tags: AWS accepts no more`,
  ),
  v.check((tags) => {
    const keys = Object.keys(tags).map((key) => key.toLowerCase());
    return new Set(keys).size === keys.length;
  }, 'must not have two keys that differ in case only: IAM takes them for one key'),
);

/** The settings of where a stage is, and of how its resources are marked. */
export const PLACE = {
  account: described(
    'The AWS account of the stage. The CDK refuses to deploy with credentials of another one.',
    v.optional(matching(/^\d{12}$/, 'must be the 12 digits of an AWS account, in quotes')),
  ),
  region: described(
    'The AWS Region of the stage, whatever the profile says. Without it, a deployment with another profile creates a second installation.',
    v.optional(
      matching(/^[a-z]{2,4}(?:-[a-z]+)+-\d$/, 'must be an AWS Region, such as eu-central-1'),
    ),
  ),
  tags: described(
    'The tags of the stack and its resources; not of a table or user pool that the settings name.',
    v.optional(Tags, {}),
  ),
};

/**
 * Settings with a place that may be elsewhere. Cognito sends with identities of several Regions,
 * and alarms publish to topics of other accounts whose policies permit it. Certificates and streams
 * must be in the place of the stage.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-email.html
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-custom-domains-prerequisites.html
 */
const ELSEWHERE: Readonly<Record<string, readonly ('account' | 'region')[]>> = {
  ses: ['account', 'region'],
  sns: ['account'],
};

/**
 * Finds the resources that are in another Region or account than the stage: AWS would refuse them.
 *
 * @returns a sentence without its period for each.
 */
export function namedElsewhere(settings: {
  readonly account?: string | undefined;
  readonly region?: string | undefined;
}): string[] {
  return [...arnsIn(settings)].flatMap(([setting, arn]) => {
    const [, , service = '', region, account] = arn.split(':');
    const wrong = Object.entries({ region, account }).find(
      ([kind, place]) =>
        settings[kind as 'account' | 'region'] !== undefined &&
        settings[kind as 'account' | 'region'] !== place &&
        !ELSEWHERE[service]?.includes(kind as 'account' | 'region'),
    );
    if (!wrong) return [];
    const [kind, place] = wrong;
    return [`${setting} must be in the ${kind} of the stage, and is in ${place}; it is ${arn}`];
  });
}

/** Finds all ARNs with the names of their settings, such as `alarmRecipients.page.0`. */
function* arnsIn(value: unknown, name: readonly string[] = []): Generator<[string, string]> {
  if (typeof value === 'string' && value.startsWith('arn:')) yield [name.join('.'), value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) yield* arnsIn(part, [...name, key]);
}

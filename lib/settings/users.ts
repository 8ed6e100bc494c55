import * as v from 'valibot';
import { APP_CLIENT_ID } from '../../core/clients/app-client-id.ts';
import { ADDRESS, described, flag, listOf, matching } from './setting-types.ts';

const AppClientId = matching(
  APP_CLIENT_ID,
  'must be the id of a Cognito app client, such as 1example23456789',
);

/**
 * Tells whether an identity of Amazon SES sends for an address. That of a domain sends for its
 * subdomains, that of an address also for its labels, such as `shop+orders@example.com`.
 * https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html
 */
export function isSentBy(from: string, identityArn: string): boolean {
  const address = (/<(.*)>$/.exec(from)?.[1] ?? from).toLowerCase();
  const identity = identityArn.replace(/^.*:identity\//, '').toLowerCase();
  if (identity.includes('@')) return address.replace(/\+[^@]*(?=@)/, '') === identity;
  const [, domain = ''] = address.split('@');
  return domain === identity || domain.endsWith(`.${identity}`);
}

/** https://docs.aws.amazon.com/cognito/latest/developerguide/limits.html */
const MAX_ATTRIBUTES = 50;

/** Returns the attribute of a user pool that a claim is made of, without `custom:`. */
export function attributeOfClaim(claim: string): string | undefined {
  return /^custom:(.+)/.exec(claim)?.[1];
}

/** True for a standard attribute that customers can change, except those that Cognito verifies. */
export function isCustomersOwn(claim: string): boolean {
  return /^(?:address|birthdate|gender|locale|(?:family_|given_|middle_|nick)?name|picture|preferred_username|profile|updated_at|website|zoneinfo)$/.test(
    claim,
  );
}

/** The line of a stage file that declares attributes. */
export function attributesLine(userAttributes: readonly string[]): string {
  return `"userAttributes": [${userAttributes.map((name) => JSON.stringify(name)).join(', ')}]`;
}

/** The users, and the tokens that are accepted. */
export const USERS = {
  userPoolId: described(
    'An existing Cognito user pool. Without it, the stack creates one.',
    v.optional(
      matching(
        /^(?:eusc-[a-z]{2}|[a-z]{2})-(?:gov-)?[a-z]+-\d_[a-zA-Z0-9]+$/,
        'must be the id of a Cognito user pool, such as eu-central-1_AbCdEfGhI',
      ),
    ),
  ),
  userPoolClientIds: described(
    'With userPoolId: the app clients whose tokens are accepted.',
    v.optional(listOf(AppClientId, 'must be a list of ids of Cognito app clients')),
  ),
  userPoolIssuer: described(
    'The issuer of the ID tokens: original (https://cognito-idp...) or updated (https://issuer-cognito-idp...), which AWS recommends because several Regions serve its key set. It sets that of the new user pool, which keeps its own by default. With userPoolId, name the one that the pool has; original by default. Tokens of the other issuer are accepted as well, but the first one waits for its key set.',
    v.optional(v.picklist(['original', 'updated'], 'must be original or updated')),
  ),
  signInIdentifiers: described(
    'What users of the new user pool sign in with: username (the default), email, phone. CANNOT CHANGE after the first deployment: Cognito does not change it in place, and a new user pool has no users.',
    v.optional(
      listOf(
        v.picklist(['username', 'email', 'phone'], 'must be username, email or phone'),
        'must be a list of username, email and phone',
      ),
    ),
  ),
  selfSignUp: described(
    'Whether customers can sign up in the new user pool themselves. It needs email or phone in signInIdentifiers, because Cognito confirms a new user with a code.',
    v.optional(flag(), false),
  ),
  email: described(
    'The sender of the e-mails of the new user pool, an identity of Amazon SES. Without it, Cognito sends at most about 50 e-mails a day.',
    v.optional(
      v.strictObject({
        from: matching(
          RegExp(`^(?:[^<>@\\n]{1,128} <${ADDRESS.source}>|${ADDRESS.source})$`),
          'must be an address such as no-reply@shop.example.com, or Shop <no-reply@shop.example.com>',
        ),
        identityArn: matching(
          /^arn:[\w-]+:ses:[\w-]+:\d{12}:identity\/[\w.@+-]+$/,
          'must be the ARN of a verified identity of Amazon SES, such as arn:aws:ses:eu-central-1:123456789012:identity/shop.example.com',
        ),
      }),
    ),
  ),
  userPoolPlan: described(
    'The feature plan of the new user pool, which decides its price. Cognito creates a pool with essentials; lite has what this service needs.',
    v.optional(v.picklist(['lite', 'essentials', 'plus'], 'must be lite, essentials or plus')),
  ),
  appClients: described(
    'The app clients of the new user pool, one per tenant; App by default. Their ids are outputs.',
    v.optional(
      listOf(
        matching(
          /^[A-Za-z][A-Za-z0-9]{0,31}$/,
          'must be 1 to 32 letters and digits, and start with a letter',
        ),
        'must be a list of names',
      ),
    ),
  ),
  userAttributes: described(
    'The custom attributes of the new user pool, without "custom:", such as userId. Apps can read them and cannot write them; your backend sets them with AdminUpdateUserAttributes. ONLY GROWS: Cognito adds an attribute, and never changes or removes one.',
    v.optional(
      v.pipe(
        listOf(
          matching(
            /^\w{1,20}$/,
            'must be the name of an attribute: 1 to 20 letters, digits and underscores, without "custom:"',
          ),
          'must be a list of names of attributes',
        ),
        v.maxLength(
          MAX_ATTRIBUTES,
          `must have at most ${MAX_ATTRIBUTES} attributes: Cognito has no more`,
        ),
      ),
    ),
  ),
  requireUserPoolClientIds: described(
    'Whether the item of a client must have userPoolClientIds, the app clients whose tokens it accepts. Without them, all of its requests are refused; with false, it accepts the tokens of every app client, including those of other tenants. Required with several app clients; with one, false by default.',
    v.optional(flag()),
  ),
  userIdClaim: described(
    'The claim of the ID token that must equal the userId of a request; none switches the check off. With a new user pool: sub, cognito:username or custom:NAME, with NAME in userAttributes. In an existing stage, deploy userAttributes first. email and phone_number also require that Cognito has verified them.',
    v.optional(
      matching(
        /^[\w:.-]{1,128}$/,
        'must be the name of a claim of the ID token, such as sub, cognito:username or custom:userId, or none',
      ),
      'sub',
    ),
  ),
};

/** Where the tokens come from, and whom they are for. */
const { AWS_REGION, USER_POOL_ID, USER_POOL_CLIENT_IDS = '' } = process.env;

export const ISSUER = `https://cognito-idp.${AWS_REGION}.amazonaws.com/${USER_POOL_ID}`;
export const AUDIENCES = USER_POOL_CLIENT_IDS.split(',') as [string, ...string[]];

/** The issuer itself, unless an emulator stands in for it. */
const KEYS_AT = process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER
  ? `${process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER}/${USER_POOL_ID}`
  : ISSUER;
export const JWKS_URI = `${KEYS_AT}/.well-known/jwks.json`;

/** The claims of a verified ID token that are looked at. */
export interface Claims {
  readonly aud?: unknown;
  readonly token_use?: unknown;
  readonly exp?: unknown;
  readonly [claim: string]: unknown;
}

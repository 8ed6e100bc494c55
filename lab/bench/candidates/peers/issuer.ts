const { AWS_REGION, USER_POOL_ID, USER_POOL_CLIENT_IDS = '' } = process.env;

/** The `iss` of accepted ID tokens. */
export const ISSUER = `https://cognito-idp.${AWS_REGION}.amazonaws.com/${USER_POOL_ID}`;
/** The accepted values of `aud`. */
export const AUDIENCES = USER_POOL_CLIENT_IDS.split(',') as [string, ...string[]];

const EMULATOR = process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER;
/** The key set is at the issuer itself, or at the emulator that replaces it. */
export const JWKS_URI = `${EMULATOR ? `${EMULATOR}/${USER_POOL_ID}` : ISSUER}/.well-known/jwks.json`;

/** The claims of a verified ID token. Those that the peers read are listed. */
export interface Claims {
  readonly aud?: unknown;
  readonly token_use?: unknown;
  readonly exp?: unknown;
  readonly [claim: string]: unknown;
}

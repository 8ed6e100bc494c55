import { Logger } from '@aws-lambda-powertools/logger';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';

const { APP_CLIENT_ID, GUEST, PASSWORD_SECRET, USER_POOL_ID } = process.env;
/** A token is renewed when so much of its life is left, or half of it if that is less. */
const RENEWED_MS = 10 * 60 * 1000;
/** The pause after a failed sign-in: a flood must not use up the quota of Cognito. */
const PAUSE_MS = 10_000;
/** The limit of a sign-in: a function that times out loses the token that it has. */
const SIGN_IN_MS = 4000;

const cognito = new CognitoIdentityProvider();
const secrets = new SecretsManager();
const logger = new Logger();

let idToken = '';
let expiresAt = 0;
let nextSignIn = 0;

/** Signs the guest in. Its access and refresh token stay here. */
async function signIn(): Promise<void> {
  const limit = { abortSignal: AbortSignal.timeout(SIGN_IN_MS) };
  const { SecretString = '' } = await secrets.getSecretValue({ SecretId: PASSWORD_SECRET }, limit);
  const request = {
    UserPoolId: USER_POOL_ID,
    ClientId: APP_CLIENT_ID,
    AuthFlow: 'ADMIN_USER_PASSWORD_AUTH' as const,
    AuthParameters: { USERNAME: String(GUEST), PASSWORD: SecretString },
  };
  const { AuthenticationResult, ChallengeName } = await cognito.adminInitiateAuth(request, limit);
  const token = AuthenticationResult?.IdToken;
  if (!token) throw new Error(`Cognito asks for ${ChallengeName}.`);
  // `ExpiresIn` is the life of the access token.
  const [, payload = ''] = token.split('.');
  expiresAt = JSON.parse(Buffer.from(payload, 'base64url').toString()).exp * 1000;
  idToken = token;
  nextSignIn = expiresAt - Math.min(RENEWED_MS, (expiresAt - Date.now()) / 2);
}

/** Answers with an ID token of the guest, as text. The attestation of an app is checked here. */
export async function handler() {
  const now = Date.now();
  if (now >= nextSignIn) {
    await signIn().catch((error: Error) => {
      nextSignIn = Date.now() + PAUSE_MS;
      logger.error('The guest could not sign in', error);
    });
  }
  // The token of before is good until it expires.
  if (expiresAt <= now) return { statusCode: 503, headers: { 'Retry-After': '10' } };
  const headers = { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' };
  return { statusCode: 200, headers, body: idToken };
}

import { randomUUID } from 'node:crypto';
import {
  CognitoIdentityProviderClient,
  InitiateAuthCommand,
  type InitiateAuthCommandOutput,
} from '@aws-sdk/client-cognito-identity-provider';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
import * as v from 'valibot';
import { awsClientSettings } from '../../core/aws/client-settings.ts';
import { CANARY_CLIENT_ID } from '../../core/promo-events/canary.ts';
import { count, publishMetrics } from '../../core/runtime/metrics.ts';
import { PROMO_CODE_MAX } from '../apply-promo-code/operation.ts';
import { headersOf } from '../http/request-headers.ts';
import { challengeError, explained, OwnFault } from './aws-answers.ts';

/** In milliseconds; less than the timeout of the function, so that the error names the cause. */
const PATIENCE_MS = 15_000;

/** What the secret has: the user's credentials, and an App-Id of the client. */
const Secret = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    // Cognito refuses an empty one as if it did not permit the sign-in.
    username: v.pipe(v.string(), v.nonEmpty()),
    password: v.pipe(v.string(), v.nonEmpty()),
    // What a header can have. The error of `fetch` would quote the rest.
    appId: v.pipe(v.string(), v.regex(/^[ -~]+$/)),
  }),
);

const Response = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ data: v.object({ outcome: v.picklist(['applied', 'repeated', 'queued']) }) }),
);

const {
  CANARY_SECRET_ARN: SecretId = '',
  CANARY_URL = '',
  CANARY_USER_POOL_CLIENT_ID: ClientId = '',
  COGNITO_ENDPOINT = '',
  SECRETS_MANAGER_ENDPOINT = '',
  USER_ID_CLAIM = '',
} = process.env;
const [, , , region = ''] = SecretId.split(':');
const secrets = new SecretsManagerClient({
  ...awsClientSettings('SECRETS_MANAGER', SECRETS_MANAGER_ENDPOINT),
  region,
});
const cognito = new CognitoIdentityProviderClient(
  awsClientSettings('COGNITO_IDENTITY_PROVIDER', COGNITO_ENDPOINT),
);

/**
 * Applies a new promo code as an app does, repeats that, and sends the first request again.
 *
 * @throws Error if an outcome is wrong or missing. The metric `CanaryFailed` counts it.
 * @throws OwnFault if it cannot act as an app. The metric `CanaryAtFault` counts that instead.
 */
export async function handler(): Promise<void> {
  const failure = await applyCode(AbortSignal.timeout(PATIENCE_MS)).catch(asError);
  const isOwnFault = failure instanceof OwnFault;
  count('CanaryAtFault', isOwnFault ? 1 : 0);
  count('CanaryFailed', failure && !isOwnFault ? 1 : 0);
  publishMetrics();
  if (failure) throw failure;
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

async function applyCode(signal: AbortSignal): Promise<void> {
  const { appId, ...user } = await readSecret(signal);
  const { idToken, claims } = await signIn(user, signal);
  const { [USER_ID_CLAIM]: userId = user.username } = claims;
  const body = JSON.stringify({
    clientId: CANARY_CLIENT_ID,
    promoCode: randomUUID().replaceAll('-', '').slice(0, PROMO_CODE_MAX),
    userId,
    eventType: 'promo_applied',
    source: 'canary',
  });
  const outcomeOf = async (requestDate: string) => {
    const headers = headersOf({ idToken, appId, deviceId: 'canary', requestDate });
    const response = await fetch(CANARY_URL, { method: 'POST', headers, body, signal });
    const answer = await response.text();
    const { success, output } = v.safeParse(Response, answer);
    if (response.ok && success) return output.data.outcome;
    throw new Error(`The API answered with ${response.status}: ${answer}`);
  };
  const now = Date.now();
  const [first, second] = [new Date(now).toISOString(), new Date(now + 1).toISOString()];
  const outcomes = [await outcomeOf(first), await outcomeOf(second), await outcomeOf(first)];
  if (outcomes.every((outcome) => outcome === 'queued')) {
    throw new Error('The promo code was not stored: all of its requests wait in the queue.');
  }
  if (!hasOneApplication(outcomes)) {
    throw new Error(
      `The outcomes were ${outcomes.join(', ')} instead of ${FIRST_APPLIED.join(', ')}.`,
    );
  }
}

// The third request is the first again, whose outcome stays: there is one application.
const FIRST_APPLIED = ['applied', 'repeated', 'applied'];
const SECOND_APPLIED = ['repeated', 'applied', 'repeated'];

/**
 * Tells whether there is one application. A request that waits in the queue is not lost, and may
 * have any outcome. If the first one waits, the second one may be stored before it.
 */
function hasOneApplication(outcomes: readonly string[]): boolean {
  const possible = outcomes[0] === 'queued' ? [FIRST_APPLIED, SECOND_APPLIED] : [FIRST_APPLIED];
  return possible.some((expected) =>
    outcomes.every((outcome, index) => outcome === 'queued' || outcome === expected[index]),
  );
}

async function readSecret(abortSignal: AbortSignal): Promise<v.InferOutput<typeof Secret>> {
  const read = new GetSecretValueCommand({ SecretId });
  const { SecretString } = await explained('GetSecretValue', secrets.send(read, { abortSignal }));
  const { success, output } = v.safeParse(Secret, SecretString);
  if (success) return output;
  // No cause: it would quote the secret.
  throw new OwnFault(
    'The secret must be a JSON object with username, password and appId, none of them empty.',
  );
}

async function signIn(
  { username, password }: { readonly username: string; readonly password: string },
  abortSignal: AbortSignal,
) {
  const request = new InitiateAuthCommand({
    AuthFlow: 'USER_PASSWORD_AUTH',
    ClientId,
    AuthParameters: { USERNAME: username, PASSWORD: password },
  });
  return explained('InitiateAuth', cognito.send(request, { abortSignal }).then(readToken));
}

function readToken({ AuthenticationResult, ChallengeName }: InitiateAuthCommandOutput) {
  if (ChallengeName) throw challengeError(ChallengeName);
  const { IdToken: idToken } = AuthenticationResult ?? {};
  if (!idToken) throw new Error('Cognito returned no ID token.');
  return { idToken, claims: decomposeUnverifiedJwt(idToken).payload };
}

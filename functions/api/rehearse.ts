import { createPublicKey, createVerify, generateKeyPairSync, sign } from 'node:crypto';
import { type JwksCache, SimpleJwksCache } from 'aws-jwt-verify/jwk';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { CPU_MEGABYTES, memoryMegabytes } from '../../core/platform/function-memory.ts';
import { OK, publishMetrics } from '../../core/platform/metrics.ts';
import { inRehearsal } from '../../core/platform/rehearsal.ts';
import type { CodedResponse } from './envelope.ts';
import { headersOf } from './request-headers.ts';

/** The value of every string in a rehearsal. */
export const REHEARSAL = 'rehearsal';

/** V8 makes code faster in steps, after it has run a few times. A fourth rehearsal lengthens the start more than it shortens the first call (decision 25). */
const TIMES = 3;
const REMAINING_MS = 20_000;

/** What the request of a rehearsal has besides what every request has. */
export interface RehearsedRequest {
  /** Properties of its body besides `clientId`. */
  readonly body?: object;
  /** Claims of its token besides those that every ID token has. */
  readonly claims?: object;
}

/** Creates a handler of requests from the keys that sign tokens. */
type Responder = (
  keySets: JwksCache,
) => (event: APIGatewayProxyEvent, context: Context) => Promise<CodedResponse>;

/** Whose tokens the service accepts. */
interface Issuer {
  readonly issuer: string;
  readonly userPoolClientIds: readonly string[];
}

/**
 * Responds to requests as the first call will, with a key of its own, which no other request may use. Does nothing where a rehearsal would
 * make callers wait longer.
 *
 * @throws Error if the response is an error. A rehearsal that ends at a check prepares little.
 */
export async function rehearse(
  responder: Responder,
  { body, claims }: RehearsedRequest,
  { issuer, userPoolClientIds }: Issuer,
): Promise<void> {
  if (!isWorthwhile()) return;
  // First, let the connections that are being opened make progress.
  await new Promise((resolve) => setImmediate(resolve));
  loadRsa();
  // Unlike an RSA key, this one is generated in no time. It is used in this rehearsal only.
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = { ...publicKey.export({ format: 'jwk' }), kid: REHEARSAL, alg: 'EdDSA', use: 'sig' };
  const keySet = new TextEncoder().encode(JSON.stringify({ keys: [key] })).buffer;
  const keySets = new SimpleJwksCache({ fetcher: { fetch: async () => keySet } });
  const [audience] = userPoolClientIds;
  const exp = Math.ceil((Date.now() + REMAINING_MS) / 1000);
  const signed = [
    { alg: 'EdDSA', kid: REHEARSAL },
    { iss: issuer, aud: audience, token_use: 'id', exp, ...claims },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign(null, Buffer.from(signed), privateKey).toString('base64url');

  const headers = headersOf({
    idToken: `${signed}.${signature}`,
    appId: REHEARSAL,
    deviceId: REHEARSAL,
    requestDate: new Date().toISOString(),
  });
  const multiValueHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  const context = { getRemainingTimeInMillis: () => REMAINING_MS };
  const respond = responder(keySets);
  await inRehearsal(answerFor(userPoolClientIds), async () => {
    for (let time = 1; time <= TIMES; time++) {
      // Each time another client, which is not cached.
      const event = {
        multiValueHeaders,
        body: JSON.stringify({ clientId: `${REHEARSAL}-${time}`, ...body }),
      };
      const { code } = await respond(event as APIGatewayProxyEvent, context as Context);
      publishMetrics();
      if (code !== OK) throw new Error(`The rehearsed request was answered with ${code}.`);
    }
  });
}

/**
 * While a function initialises, it has at least one CPU, and a part of that during calls if its memory is small. With a whole CPU, a rehearsal
 * would take longer than it saves the call that waits for the start. No call waits for provisioned concurrency.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
function isWorthwhile(): boolean {
  const isProvisioned = process.env.AWS_LAMBDA_INITIALIZATION_TYPE === 'provisioned-concurrency';
  return isProvisioned || memoryMegabytes() < CPU_MEGABYTES;
}

/**
 * Lets OpenSSL load what verifies the tokens of Cognito, which takes a tenth of the CPU time of a first call. The modulus is not
 * that of a key, so no signature is valid. The calls are those of `aws-jwt-verify`.
 */
function loadRsa(): void {
  const modulus = Buffer.alloc(256, 0xff);
  const jwk = { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  createVerify('RSA-SHA256')
    .update(REHEARSAL)
    .verify({ key, dsaEncoding: 'ieee-p1363' }, modulus.toString('base64'), 'base64');
}

/**
 * What DynamoDB answers in a rehearsal, in its JSON: the item of a client with one field, which needs no correction, and what an
 * update returns.
 */
function answerFor(userPoolClientIds: readonly string[]): object {
  return {
    Item: {
      clientId: { S: REHEARSAL },
      appIds: { SS: [REHEARSAL] },
      userPoolClientIds: { SS: userPoolClientIds },
      fields: {
        L: [
          {
            M: {
              id: { S: '1' },
              fieldType: { S: 'text' },
              mandatory: { BOOL: false },
              appUIs: { L: [{ S: 'register' }] },
              fieldName: { S: REHEARSAL },
              allowMultiple: { BOOL: false },
              addButtonText: { S: '' },
              subFieldA: {
                M: {
                  subType: { S: 'text' },
                  placeHolderText: { S: REHEARSAL },
                  allowCopies: { BOOL: false },
                  alpha: { BOOL: true },
                  numbers: { BOOL: true },
                  symbols: { BOOL: false },
                  maxChars: { N: '40' },
                },
              },
            },
          },
        ],
      },
      lastFieldId: { N: '1' },
    },
    Attributes: { requestDate: { S: REHEARSAL } },
  };
}

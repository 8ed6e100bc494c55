import { createPublicKey, type JsonWebKey } from 'node:crypto';
import awsLambdaFastify from '@fastify/aws-lambda';
import fastifyJwt, { type TokenOrHeader } from '@fastify/jwt';
import fastify, { type FastifyError, type FastifyRequest } from 'fastify';
import buildGetJwks from 'get-jwks';
import {
  ApiError,
  InternalServerError,
  PayloadTooLargeError,
  ServiceUnavailableError,
  TokenExpiredError,
  UnauthorizedError,
  ValidationError,
} from '../../../../../functions/http/errors.ts';
import { applyPromoCode, type PromoCodeRequest } from '../apply-promo-code.ts';
import { clientAuthorizer } from '../authorize-client.ts';
import { authorizeUser } from '../authorize-user.ts';
import { readConfiguration } from '../configuration.ts';
import { failure, success } from '../envelope.ts';
import { type RequestHeaders, readHeaders } from '../headers.ts';
import { AUDIENCES, type Claims, ISSUER, JWKS_URI } from '../issuer.ts';
import { MAX_BODY_BYTES, removedWarning } from '../request-body.ts';
import { ApplyPromoCodeRequest, FIELDS, GetConfigRequest, maxBytes } from './schemas.ts';

declare module 'fastify' {
  interface FastifyRequest {
    requestHeaders: RequestHeaders;
    warnings: readonly string[];
  }
}
declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: Claims;
  }
}

const app = fastify({
  logger: { level: 'warn' },
  bodyLimit: MAX_BODY_BYTES,
  ajv: { customOptions: { allErrors: true, coerceTypes: false, keywords: [maxBytes] } },
});

const { origin, pathname } = new URL(JWKS_URI);
const getJwks = buildGetJwks({ jwksPath: pathname });
// getPublicKey() would convert the JWK for each request.
const publicKeys = new WeakMap<JsonWebKey, string>();
app.register(fastifyJwt, {
  decode: { complete: true },
  secret: async (_request: FastifyRequest, token: TokenOrHeader) => {
    const { kid, alg } = 'header' in token ? token.header : token;
    try {
      return publicKeyOf(await getJwks.getJwk({ kid, domain: origin, alg }));
    } catch (cause) {
      const isUnknown = (cause as { code?: string }).code === 'JWK_NOT_FOUND';
      throw new (isUnknown ? UnauthorizedError : ServiceUnavailableError)({ cause });
    }
  },
  verify: { algorithms: ['RS256'], allowedIss: ISSUER, allowedAud: AUDIENCES },
});

function publicKeyOf(key: JsonWebKey): string {
  let publicKey = publicKeys.get(key);
  if (!publicKey) {
    publicKey = String(
      createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }),
    );
    publicKeys.set(key, publicKey);
  }
  return publicKey;
}

app.decorateRequest('requestHeaders');
app.decorateRequest('warnings');

app.addHook('onRequest', async (request) => {
  request.requestHeaders = readHeaders((name) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join() : value;
  });
});

app.addHook('onRequest', async (request) => {
  try {
    await request.jwtVerify();
  } catch (error) {
    if ((error as FastifyError).code !== 'FST_JWT_AUTHORIZATION_TOKEN_EXPIRED') throw error;
    // @fastify/jwt checks the expiry before issuer and audience.
    const verify = { ...app.jwt.options.verify, ignoreExpiration: true };
    await request.jwtVerify({ decode: { complete: true }, verify });
    throw new TokenExpiredError({ cause: error });
  }
  const { token_use, exp } = request.user;
  if (token_use !== 'id' || typeof exp !== 'number') throw new UnauthorizedError();
});

/** Validation removes unknown properties without a trace, so their names are collected first. */
function warnOfUnknown(schema: { readonly properties: object }) {
  return async (request: FastifyRequest) => {
    const names = Object.keys(request.body ?? {});
    request.warnings = removedWarning(
      names.filter((name) => !Object.hasOwn(schema.properties, name)),
    );
  };
}

async function normalizePromoCode({ body }: FastifyRequest) {
  const request = (body ?? {}) as { promoCode?: unknown };
  if (typeof request.promoCode === 'string') {
    request.promoCode = request.promoCode.trim().normalize('NFC');
  }
}

function authorizerOf(request: FastifyRequest) {
  return clientAuthorizer((item) =>
    readConfiguration(item, (field) => {
      const schema = FIELDS[String((field as { fieldType?: unknown } | null)?.fieldType)];
      return schema && request.validateInput(field, schema) ? field : undefined;
    }),
  );
}
/**
 * Only a request can compile and use validators: https://fastify.dev/docs/latest/Reference/Request/
 */
let authorizeClient: ReturnType<typeof authorizerOf> | undefined;

app.post<{ Body: { clientId: string } }>(
  '/customData/getConfig',
  { schema: { body: GetConfigRequest }, preValidation: warnOfUnknown(GetConfigRequest) },
  async (request) => {
    authorizeClient ??= authorizerOf(request);
    const { body, requestHeaders, user, warnings } = request;
    const configuration = await authorizeClient(body.clientId, requestHeaders.appId, user);
    return success(configuration.data, [...warnings, ...configuration.warnings]);
  },
);

app.post<{ Body: PromoCodeRequest }>(
  '/promoCode/apply',
  {
    schema: { body: ApplyPromoCodeRequest },
    preValidation: [warnOfUnknown(ApplyPromoCodeRequest), normalizePromoCode],
  },
  async (request) => {
    authorizeClient ??= authorizerOf(request);
    const { body, requestHeaders, user, warnings } = request;
    await authorizeClient(body.clientId, requestHeaders.appId, user);
    authorizeUser(body.userId, user);
    const promoCodeRequest = { ...body, promoCodeToken: body.promoCodeToken || undefined };
    return success(await applyPromoCode(promoCodeRequest, requestHeaders), warnings);
  },
);

app.setErrorHandler((error: FastifyError, request, reply) => {
  const apiError = toApiError(error);
  request.log.warn({ code: apiError.code }, 'Request refused');
  return reply.status(apiError.statusCode).send(failure(apiError, request.warnings));
});

function toApiError(error: FastifyError): ApiError {
  if (error instanceof ApiError) return error;
  if (error.validation) {
    const [first = { message: '' }, ...others] = error.validation.map(
      ({ instancePath, params, message }) => {
        const property = params.missingProperty ?? instancePath.slice(1);
        return { message: `${property} ${message}.`, pointer: property && `/${property}` };
      },
    );
    return new ValidationError([first, ...others]);
  }
  if (error.statusCode === 413) {
    return new PayloadTooLargeError(`At most ${MAX_BODY_BYTES} bytes are allowed.`);
  }
  if (error.statusCode === 400) {
    return new ValidationError([{ message: 'The request body is not JSON.', pointer: '' }]);
  }
  if (error.statusCode === 401) return new UnauthorizedError({ cause: error });
  return new InternalServerError({ cause: error });
}

export const handler = awsLambdaFastify(app);

// The adapter's documentation recommends it: plugins are loaded before the first request.
await app.ready();

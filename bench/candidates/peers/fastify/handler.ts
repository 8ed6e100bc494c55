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
} from '../../../../functions/api/errors.ts';
import { checkUser, clients } from '../client.ts';
import { readConfiguration } from '../configuration.ts';
import { failure, success } from '../envelope.ts';
import { type RequestHeaders, readHeaders } from '../headers.ts';
import { MAX_BODY_BYTES, removedWarning } from '../json.ts';
import { type Application, applyPromoCode } from '../promo-code.ts';
import { AUDIENCES, type Claims, ISSUER, JWKS_URI } from '../token.ts';
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
// `getPublicKey` makes one of the JWK for each request.
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
    // It looks at the expiry before issuer and audience.
    const verify = { ...app.jwt.options.verify, ignoreExpiration: true };
    await request.jwtVerify({ decode: { complete: true }, verify });
    throw new TokenExpiredError({ cause: error });
  }
  const { token_use, exp } = request.user;
  if (token_use !== 'id' || typeof exp !== 'number') throw new UnauthorizedError();
});

/** Names what validation will remove. */
function remarkUnknown(schema: { readonly properties: object }) {
  return async (request: FastifyRequest) => {
    const names = Object.keys(request.body ?? {});
    request.warnings = removedWarning(
      names.filter((name) => !Object.hasOwn(schema.properties, name)),
    );
  };
}

async function normalizePromoCode({ body }: FastifyRequest) {
  const application = (body ?? {}) as { promoCode?: unknown };
  if (typeof application.promoCode === 'string') {
    application.promoCode = application.promoCode.trim().normalize('NFC');
  }
}

function clientsOf(request: FastifyRequest) {
  return clients((item) =>
    readConfiguration(item, (field) => {
      const schema = FIELDS[String((field as { fieldType?: unknown } | null)?.fieldType)];
      return schema && request.validateInput(field, schema) ? field : undefined;
    }),
  );
}
/** The validators of a schema are compiled by the first request that uses them. */
let clientOf: ReturnType<typeof clientsOf> | undefined;

for (const path of ['/customerData/getConfig', '/customData/getConfig']) {
  app.post<{ Body: { clientId: string } }>(
    path,
    { schema: { body: GetConfigRequest }, preValidation: remarkUnknown(GetConfigRequest) },
    async (request) => {
      clientOf ??= clientsOf(request);
      const { body, requestHeaders, user, warnings } = request;
      const configuration = await clientOf(body.clientId, requestHeaders.appId, user);
      return success(configuration.data, [...warnings, ...configuration.warnings]);
    },
  );
}

app.post<{ Body: Application }>(
  '/promoCode/apply',
  {
    schema: { body: ApplyPromoCodeRequest },
    preValidation: [remarkUnknown(ApplyPromoCodeRequest), normalizePromoCode],
  },
  async (request) => {
    clientOf ??= clientsOf(request);
    const { body, requestHeaders, user, warnings } = request;
    await clientOf(body.clientId, requestHeaders.appId, user);
    checkUser(body.userId, user);
    const application = { ...body, promoCodeToken: body.promoCodeToken || undefined };
    return success(await applyPromoCode(application, requestHeaders), warnings);
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

// As the adapter advises, so that plugins are loaded before the first request.
await app.ready();

import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { jwk } from 'hono/jwk';
import { validator } from 'hono/validator';
import {
  ApiError,
  InternalServerError,
  PayloadTooLargeError,
  TokenExpiredError,
  UnauthorizedError,
  ValidationError,
} from '../../../../../functions/http/errors.ts';
import { applyPromoCode } from '../apply-promo-code.ts';
import { clientAuthorizer } from '../authorize-client.ts';
import { authorizeUser } from '../authorize-user.ts';
import { readConfiguration } from '../configuration.ts';
import { failure, success } from '../envelope.ts';
import { parseField } from '../field.ts';
import { type RequestHeaders, readHeaders } from '../headers.ts';
import { AUDIENCES, type Claims, ISSUER } from '../issuer.ts';
import { MAX_BODY_BYTES } from '../request-body.ts';
import { ApplyPromoCodeRequest, GetConfigRequest } from '../requests.ts';
import { validate } from '../validation.ts';
import { keySet } from './key-set.ts';

interface Variables {
  headers: RequestHeaders;
  jwtPayload: Claims;
  warnings: readonly string[];
}
type Env = { Variables: Variables };

const authorizeClient = clientAuthorizer((item) => readConfiguration(item, parseField));

const app = new Hono<Env>();

app.use(async (c, next) => {
  c.set(
    'headers',
    readHeaders((name) => c.req.header(name)),
  );
  await next();
});

// hono/jwk checks the expiry before the signature, so the expiry is checked below.
const verification = { iss: ISSUER, aud: AUDIENCES, exp: false };
app.use(jwk({ keys: keySet, alg: ['RS256'], verification }));
app.use(async (c, next) => {
  const { token_use, exp } = c.var.jwtPayload;
  if (token_use !== 'id' || typeof exp !== 'number') throw new UnauthorizedError();
  if (exp < Date.now() / 1000) throw new TokenExpiredError();
  await next();
});

app.use(
  bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: () => {
      throw new PayloadTooLargeError(`At most ${MAX_BODY_BYTES} bytes are allowed.`);
    },
  }),
);

app.on(
  'POST',
  '/customData/getConfig',
  validator('json', (body) => validate(GetConfigRequest, body)),
  async (c) => {
    const { request, warnings } = c.req.valid('json');
    const { headers, jwtPayload } = c.var;
    c.set('warnings', warnings);
    const configuration = await authorizeClient(request.clientId, headers.appId, jwtPayload);
    return c.json(success(configuration.data, [...warnings, ...configuration.warnings]));
  },
);

app.post(
  '/promoCode/apply',
  validator('json', (body) => validate(ApplyPromoCodeRequest, body)),
  async (c) => {
    const { request, warnings } = c.req.valid('json');
    const { headers, jwtPayload } = c.var;
    c.set('warnings', warnings);
    await authorizeClient(request.clientId, headers.appId, jwtPayload);
    authorizeUser(request.userId, jwtPayload);
    return c.json(success(await applyPromoCode(request, headers), warnings));
  },
);

app.onError((error, c) => {
  const apiError = toApiError(error);
  // biome-ignore lint/suspicious/noConsole: this is the log of the function
  console.warn(JSON.stringify({ message: 'Request refused', code: apiError.code }));
  return c.json(failure(apiError, c.var.warnings), apiError.statusCode as 400);
});

function toApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  if (error.cause instanceof ApiError) return error.cause;
  if (error instanceof HTTPException && error.status === 401) {
    return new UnauthorizedError({ cause: error });
  }
  if (error instanceof HTTPException && error.status === 400) {
    return new ValidationError([{ message: 'The request body is not JSON.', pointer: '' }]);
  }
  return new InternalServerError({ cause: error });
}

export const handler = handle(app);

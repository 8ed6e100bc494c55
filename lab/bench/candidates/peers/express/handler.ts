import { configure as serverlessExpress } from '@codegenie/serverless-express';
import express, { type ErrorRequestHandler } from 'express';
import {
  ApiError,
  InternalServerError,
  PayloadTooLargeError,
  ValidationError,
} from '../../../../../functions/http/errors.ts';
import { applyPromoCode } from '../apply-promo-code.ts';
import { clientAuthorizer } from '../authorize-client.ts';
import { authorizeUser } from '../authorize-user.ts';
import { readConfiguration } from '../configuration.ts';
import { failure, success } from '../envelope.ts';
import { parseField } from '../field.ts';
import { readHeaders } from '../headers.ts';
import { MAX_BODY_BYTES } from '../request-body.ts';
import { ApplyPromoCodeRequest, GetConfigRequest } from '../requests.ts';
import { validate } from '../validation.ts';
import { verifyIdToken } from './id-token.ts';

const authorizeClient = clientAuthorizer((item) => readConfiguration(item, parseField));

const app = express();
app.disable('x-powered-by');
app.disable('etag');

// The adapter's stream ends at the first pause, so the body is read first. Its errors are only
// reported after the token is verified.
const json = express.json({ limit: MAX_BODY_BYTES });
app.use((req, res, next) => {
  json(req, res, (error) => {
    res.locals.bodyError = error;
    next();
  });
});

app.use((req, res, next) => {
  res.locals.headers = readHeaders((name) => req.get(name));
  next();
});

app.use(async (_req, res, next) => {
  res.locals.claims = await verifyIdToken(res.locals.headers.idToken);
  next();
});

app.use((_req, res, next) => next(res.locals.bodyError));

app.post('/customData/getConfig', async (req, res) => {
  const { headers, claims } = res.locals;
  const { request, warnings } = validate(GetConfigRequest, req.body);
  res.locals.warnings = warnings;
  const configuration = await authorizeClient(request.clientId, headers.appId, claims);
  res.json(success(configuration.data, [...warnings, ...configuration.warnings]));
});

app.post('/promoCode/apply', async (req, res) => {
  const { headers, claims } = res.locals;
  const { request, warnings } = validate(ApplyPromoCodeRequest, req.body);
  res.locals.warnings = warnings;
  await authorizeClient(request.clientId, headers.appId, claims);
  authorizeUser(request.userId, claims);
  res.json(success(await applyPromoCode(request, headers), warnings));
});

const onError: ErrorRequestHandler = (error, _req, res, _next) => {
  const apiError = toApiError(error);
  // biome-ignore lint/suspicious/noConsole: this is the log of the function
  console.warn(JSON.stringify({ message: 'Request refused', code: apiError.code }));
  res.status(apiError.statusCode).json(failure(apiError, res.locals.warnings));
};
app.use(onError);

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // https://github.com/expressjs/body-parser#errors
  const { type } = error as { type?: string };
  if (type === 'entity.too.large') {
    return new PayloadTooLargeError(`At most ${MAX_BODY_BYTES} bytes are allowed.`);
  }
  if (type === 'entity.parse.failed') {
    return new ValidationError([{ message: 'The request body is not JSON.', pointer: '' }]);
  }
  return new InternalServerError({ cause: error });
}

export const handler = serverlessExpress({ app });

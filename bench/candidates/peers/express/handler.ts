import { configure as serverlessExpress } from '@codegenie/serverless-express';
import express, { type ErrorRequestHandler } from 'express';
import {
  ApiError,
  InternalServerError,
  PayloadTooLargeError,
  ValidationError,
} from '../../../../functions/api/errors.ts';
import { checkUser, clients } from '../client.ts';
import { readConfiguration } from '../configuration.ts';
import { failure, success } from '../envelope.ts';
import { parseField } from '../field.ts';
import { readHeaders } from '../headers.ts';
import { MAX_BODY_BYTES } from '../json.ts';
import { applyPromoCode } from '../promo-code.ts';
import { ApplyPromoCodeRequest, GetConfigRequest, parsed } from '../requests.ts';
import { verified } from './id-token.ts';

const clientOf = clients((item) => readConfiguration(item, parseField));

const app = express();
app.disable('x-powered-by');
app.disable('etag');

// The adapter's stream ends with the first pause: the body is read at once, and judged after the token.
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
  res.locals.claims = await verified(res.locals.headers.idToken);
  next();
});

app.use((_req, res, next) => next(res.locals.bodyError));

app.post(['/customerData/getConfig', '/customData/getConfig'], async (req, res) => {
  const { headers, claims } = res.locals;
  const { request, warnings } = parsed(GetConfigRequest, req.body);
  res.locals.warnings = warnings;
  const configuration = await clientOf(request.clientId, headers.appId, claims);
  res.json(success(configuration.data, [...warnings, ...configuration.warnings]));
});

app.post('/promoCode/apply', async (req, res) => {
  const { headers, claims } = res.locals;
  const { request, warnings } = parsed(ApplyPromoCodeRequest, req.body);
  res.locals.warnings = warnings;
  await clientOf(request.clientId, headers.appId, claims);
  checkUser(request.userId, claims);
  res.json(success(await applyPromoCode(request, headers), warnings));
});

const onError: ErrorRequestHandler = (error, _req, res, _next) => {
  const apiError = toApiError(error);
  // biome-ignore lint/suspicious/noConsole: what the function logs
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

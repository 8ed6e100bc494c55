import * as errors from '../functions/http/errors.ts';
import { MAX_BODY_BYTES } from '../functions/middlewares/validate-body.ts';

/**
 * Describes a response.
 *
 * @param examples one per situation, by name.
 * @param everywhere true if every operation can return it.
 */
function errorResponse(
  description: string,
  examples: Readonly<Record<string, errors.ApiError>>,
  everywhere = true,
) {
  const [statusCode = 0] = Object.values(examples).map((error) => error.statusCode);
  const headers = Object.values(examples).flatMap((error) => Object.keys(error.headers));
  const schema = statusCode === 401 ? 'UnauthorizedEnvelope' : 'ErrorEnvelope';
  return { description, schema, everywhere, statusCode, headers: [...new Set(headers)], examples };
}

/** The error table, with examples of the errors that the functions throw. */
export const ERROR_RESPONSES = {
  BadRequest: errorResponse(
    'The token has expired, the body is invalid, or the gateway cannot read the request.',
    {
      tokenExpired: new errors.TokenExpiredError(),
      validation: new errors.ValidationError([
        { message: 'promoCode must have 1 to 10 characters.', pointer: '/promoCode' },
        { message: 'source is required.', pointer: '/source' },
      ]),
      unreadable: new errors.BadRequestError(),
    },
  ),
  Unauthorized: errorResponse(
    'A required header is missing or malformed, or the token, the App-Id or the clientId is not accepted.',
    {
      header: new errors.UnauthorizedError({
        problems: [
          { message: 'The header Device-Id is missing.', header: 'Device-Id', reason: 'missing' },
        ],
      }),
      notAccepted: new errors.UnauthorizedError(),
    },
  ),
  Blocked: errorResponse('A firewall blocked the request.', {
    blocked: new errors.RequestBlockedError(),
  }),
  // Replaces the one above for operations that name it.
  Forbidden: errorResponse(
    'The token does not belong to the user in userId, or a firewall blocked the request.',
    { otherUser: new errors.ForbiddenError(), blocked: new errors.RequestBlockedError() },
    false,
  ),
  NotFound: errorResponse('There is no such path.', {
    noSuchPath: new errors.ResourceNotFoundError(),
  }),
  MethodNotAllowed: errorResponse(
    'The method is not POST. The header `Allow` of the response names POST.',
    { otherMethod: new errors.MethodNotAllowedError() },
  ),
  PayloadTooLarge: errorResponse('The body is too large.', {
    tooLarge: new errors.PayloadTooLargeError(
      `The request body has 20000 bytes; at most ${MAX_BODY_BYTES} are allowed.`,
    ),
  }),
  UnsupportedMediaType: errorResponse(
    'The gateway cannot decompress the body, or does not know its `Content-Encoding`.',
    { notCompressed: new errors.UnsupportedMediaTypeError() },
  ),
  TooManyRequests: errorResponse(
    'Too many requests, of all apps or from one address. Send the request again later.',
    {
      throttled: new errors.ThrottlingError(),
    },
  ),
  InternalServerError: errorResponse('An unexpected failure. Send the request again later.', {
    failed: new errors.InternalServerError(),
  }),
  ServiceUnavailable: errorResponse(
    'A service behind the API is unavailable. Send the request again later.',
    { unavailable: new errors.ServiceUnavailableError() },
  ),
};

import type { Configuration, ErrorCode, ErrorCodes, PromoCodeApplied } from './types.ts';

export const STATUS: ErrorCodes & Readonly<Record<string, number>> = {
  NotAuthorizedException: 400,
  ValidationException: 400,
  BadRequestException: 400,
  Unauthorized: 401,
  ForbiddenException: 403,
  ResourceNotFoundException: 404,
  MethodNotAllowedException: 405,
  PayloadTooLargeException: 413,
  UnsupportedMediaTypeException: 415,
  ThrottlingException: 429,
  InternalServerError: 500,
  ServiceUnavailableException: 503,
};

/** Makes a `fetch` that gives each operation its answers in order, and then the last one again. */
export function fakeFetch(answers: {
  readonly getConfig?: readonly (Configuration | ErrorCode | 'noAnswer')[];
  readonly applyPromoCode?: readonly (PromoCodeApplied['outcome'] | ErrorCode | 'noAnswer')[];
}): typeof fetch {
  const counts = { getConfig: 0, applyPromoCode: 0 };
  return async (url) => {
    const operation = String(url).endsWith('/getConfig') ? 'getConfig' : 'applyPromoCode';
    const given = answers[operation] ?? [];
    const answer = given[counts[operation]++] ?? given.at(-1) ?? 'noAnswer';
    if (answer === 'noAnswer') throw new TypeError('The connection is lost.');
    const { configVersion = '', language = '', ...config } = Object(answer) as Configuration;
    const status = STATUS[String(answer)] ?? 200;
    const pointer = answer === 'ValidationException' ? '/promoCode' : undefined;
    const error = { code: answer, message: String(answer), pointer };
    const failed = { ...error, statusCode: status, retryable: status === 429 || status >= 500 };
    const applied = { outcome: answer, message: 'A fake has applied the code.' };
    const data = status > 200 ? failed : operation === 'getConfig' ? config : applied;
    const body = { errors: status > 200 ? [error] : [], warnings: [], notices: [], data };
    const headers = { 'Config-Version': configVersion, 'Content-Language': language };
    return new Response(JSON.stringify(body), { status, headers });
  };
}

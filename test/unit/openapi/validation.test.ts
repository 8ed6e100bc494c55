import { describe, expect, test } from 'vitest';
import { DOCUMENT, responseDeviations } from '../../../openapi/validation.ts';

/* Other tests rely on this check, so here it must report every kind of wrong response. */

// biome-ignore lint/suspicious/noExplicitAny: a body to be made wrong
type Body = any;

const success = (data: unknown): Body => ({ errors: [], warnings: [], notices: [], data });

function refusal(statusCode: number, code: string): Body {
  const retryable = [429, 500, 503].includes(statusCode);
  return {
    errors: [{ code, message: 'Some reason.' }],
    ...{ warnings: [], notices: [] },
    data: { message: 'Some reason.', code, statusCode, retryable },
    ...(statusCode === 401 && { message: 'Unauthorized' }),
  };
}

const CODES: Readonly<Record<string, string>> = {
  400: 'ValidationException',
  401: 'Unauthorized',
  403: 'ForbiddenException',
  404: 'ResourceNotFoundException',
  405: 'MethodNotAllowedException',
  413: 'PayloadTooLargeException',
  429: 'ThrottlingException',
  500: 'InternalServerError',
  503: 'ServiceUnavailableException',
};

/** A valid body for each status of an operation. */
function right(path: string, status: string): Body {
  if (status !== '200') return refusal(Number(status), CODES[status] ?? 'no such status');
  const { content } = DOCUMENT.paths[path].post.responses[200];
  const { example, examples } = content['application/json'];
  return structuredClone(example ?? Object.values<{ value: Body }>(examples)[0]?.value);
}

const RESPONSES = Object.keys(DOCUMENT.paths).flatMap((path) =>
  Object.keys(DOCUMENT.paths[path].post.responses).map((status) => [path, status] as const),
);

test('the document describes responses', () => {
  expect(new Set(RESPONSES.map(([path]) => path)).size).toBeGreaterThanOrEqual(3);
  expect(RESPONSES.length).toBeGreaterThan(20);
});

type Change = readonly [name: string, change: (body: Body) => unknown, expected: RegExp];

const OF_ALL: readonly Change[] = [
  ['an additional property', (body) => ({ ...body, colour: 'blue' }), /colour/],
  [
    'an additional property in data',
    (body) => ({ ...body, data: { ...body.data, colour: 1 } }),
    /colour/,
  ],
  ...['errors', 'warnings', 'notices', 'data'].map(
    (key): Change => [`no ${key}`, ({ [key]: _, ...rest }) => rest, new RegExp(`required.*${key}`)],
  ),
  ...['errors', 'warnings', 'notices'].map(
    (key): Change => [
      `${key} that is null`,
      (body) => ({ ...body, [key]: null }),
      new RegExp(`/${key} `),
    ],
  ),
  [
    'a warning that is not a string',
    (body) => ({ ...body, warnings: [7] }),
    /\/warnings\/0 must be string/,
  ],
  [
    'a notice that is not a string',
    (body) => ({ ...body, notices: [{}] }),
    /\/notices\/0 must be string/,
  ],
  ['data that is a list', (body) => ({ ...body, data: [] }), /\/data must be object/],
  ['a list', () => [], /the body must be object/],
  ['null', () => null, /the body must be object/],
  ['nothing', () => undefined, /the body must be object/],
];

const OF_A_REFUSAL: readonly Change[] = [
  [
    'an error without a code',
    ({ errors: [{ code, ...rest }], ...body }) => ({ ...body, errors: [rest] }),
    /required.*code/,
  ],
  [
    'an error without a message',
    ({ errors: [{ message, ...rest }], ...body }) => ({ ...body, errors: [rest] }),
    /required.*message/,
  ],
  [
    'an error with an additional property',
    ({ errors: [error], ...body }) => ({ ...body, errors: [{ ...error, stack: '' }] }),
    /stack/,
  ],
  [
    'an error that is a string',
    (body) => ({ ...body, errors: ['no'] }),
    /\/errors\/0 must be object/,
  ],
  [
    'a status that is a string',
    (body) => ({ ...body, data: { ...body.data, statusCode: '400' } }),
    /\/data\/statusCode/,
  ],
  [
    'retryable that is a string',
    (body) => ({ ...body, data: { ...body.data, retryable: 'no' } }),
    /\/data\/retryable/,
  ],
  [
    'a code that is a number',
    (body) => ({ ...body, data: { ...body.data, code: 7 } }),
    /\/data\/code/,
  ],
  ...['message', 'code', 'statusCode', 'retryable'].map(
    (key): Change => [
      `data without ${key}`,
      ({ data: { [key]: _, ...rest }, ...body }) => ({ ...body, data: rest }),
      new RegExp(`required.*${key}`),
    ],
  ),
];

describe.each(RESPONSES)('%s %s', (path, status) => {
  const changes = status === '200' ? OF_ALL : [...OF_ALL, ...OF_A_REFUSAL];

  test('a valid response is described', () => {
    expect(responseDeviations(path, Number(status), right(path, status))).toEqual([]);
  });

  test.each(changes)('%s is reported', (_, change, expected) => {
    expect(
      responseDeviations(path, Number(status), change(right(path, status))).join('\n'),
    ).toMatch(expected);
  });

  test('the body of another status is reported', () => {
    const other = status === '200' ? '400' : '200';
    expect(responseDeviations(path, Number(status), right(path, other))).not.toEqual([]);
  });

  test.each([201, 204, 302, 402, 418, 502, undefined])('the status %s is reported', (other) => {
    expect(responseDeviations(path, other, right(path, status))).toEqual([
      expect.stringContaining(`the status is ${other}, not one of 200, `),
    ]);
  });
});

test('every problem is reported', () => {
  const { data, ...rest } = success({});
  expect(
    responseDeviations('/customerData/getConfig', 200, { ...rest, errors: 7, colour: 1 }),
  ).toHaveLength(3);
});

const [PATH = ''] = Object.keys(DOCUMENT.paths);

describe('fields of a configuration', () => {
  const field = () => right('/customerData/getConfig', '200').data.fields[0];
  const config = (change: (field: Body) => void) => {
    const changed = field();
    change(changed);
    return responseDeviations(
      '/customerData/getConfig',
      200,
      success({ fields: [changed], lastFieldId: 1 }),
    );
  };

  test('are described', () => {
    expect(config(() => {})).toEqual([]);
  });

  test.each<[string, (field: Body) => void]>([
    ['an additional property', (of) => Object.assign(of, { colour: 'blue' })],
    ['an unknown type', (of) => Object.assign(of, { fieldType: 'radio' })],
    ['no name', (of) => delete of.fieldName],
    ['no subfield', (of) => delete of.subFieldA],
    [
      'a subfield with an additional property',
      (of) => Object.assign(of.subFieldA, { colour: 'blue' }),
    ],
    ['a subfield whose alpha is a string', (of) => Object.assign(of.subFieldA, { alpha: 'yes' })],
    ['options that are null', (of) => Object.assign(of.subFieldA, { options: null })],
    ['an id that is a number', (of) => Object.assign(of, { id: 1 })],
  ])('%s is reported', (_, change) => {
    expect(config(change)).not.toEqual([]);
  });
});

describe('a path that the document lacks', () => {
  test.each([
    [400, 'ValidationException'],
    [404, 'ResourceNotFoundException'],
  ])('%d is described', (status, code) => {
    expect(responseDeviations('/nothing', status, refusal(status, code))).toEqual([]);
  });

  test.each([200, 401, 403, 405, 429, 500, 503, undefined])('%s is reported', (status) => {
    expect(
      responseDeviations('/nothing', status, refusal(404, 'ResourceNotFoundException')),
    ).toEqual([`the status is ${status}, not one of 400, 404`]);
  });

  test.each([
    [404, success({})],
    [404, { message: 'Missing Authentication Token' }],
  ])('%d with another body is reported', (status, body) => {
    expect(responseDeviations('/nothing', status, body)).not.toEqual([]);
  });

  test('a trailing slash makes it another path', () => {
    expect(responseDeviations(`${PATH}/`, 200, right(PATH, '200'))).not.toEqual([]);
  });
});

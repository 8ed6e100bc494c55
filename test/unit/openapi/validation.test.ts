import { describe, expect, test } from 'vitest';
import { DOCUMENT, responseDeviations } from '../../../openapi/validation.ts';

/* Other tests rely on this check, so here it must report every kind of wrong response. */

// biome-ignore lint/suspicious/noExplicitAny: a body to be made wrong
type Body = any;

/** The examples of each status of each path. */
const RESPONSES = Object.entries<Body>(DOCUMENT.paths).flatMap(([path, { post }]) =>
  Object.entries<Body>(post.responses).flatMap(([status, { $ref, content }]) => {
    const name = $ref?.split('/').at(-1);
    const media = (name ? DOCUMENT.components.responses[name].content : content)[
      'application/json'
    ];
    const examples = Object.values<Body>(media.examples ?? { one: { value: media.example } });
    return examples.map(({ value }): [string, number, Body] => [path, Number(status), value]);
  }),
);

/** What a response may lack, by the last two names of its path. */
const OPTIONAL = /\berrors\.\d\.(pointer|header|reason)$|\bfields\.2\.(appUIs|allowMultiple)$/;
const OTHERS: readonly unknown[] = ['text', 7, true, null, {}, []];
const kindOf = (value: unknown) =>
  Array.isArray(value) || value === null ? `${value && 'list'}` : typeof value;

/**
 * The value at each path of a body, with what it is replaced by: nothing, values of other types, or
 * itself with a new property.
 */
function* changesOf(
  value: Body,
  path: readonly string[] = [],
): Generator<[at: string, changed: Body]> {
  const at = path.join('.');
  for (const other of OTHERS) if (kindOf(other) !== kindOf(value)) yield [at, other];
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [`${at}.colour`, { ...value, colour: 'blue' }];
  for (const [name, inner] of Object.entries(value)) {
    const { [name]: _, ...rest } = value;
    const isRequired = !Array.isArray(value) && !OPTIONAL.test([...path, name].join('.'));
    if (isRequired) yield [`${at}.${name} is missing`, rest];
    for (const [where, changed] of changesOf(inner, [...path, name])) {
      yield [
        where,
        Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed },
      ];
    }
  }
}

test('the document has examples of at least 3 paths and 20 responses', () => {
  expect(new Set(RESPONSES.map(([path]) => path)).size).toBeGreaterThanOrEqual(3);
  expect(RESPONSES.length).toBeGreaterThan(20);
});

describe.each(RESPONSES)('%s %i', (path, status, body) => {
  test('is described', () => {
    expect(responseDeviations(path, status, body)).toEqual([]);
  });

  test('any change of its shape is reported', () => {
    const changes = [...changesOf(body)];
    const missed = changes.filter(
      ([, changed]) => responseDeviations(path, status, changed).length === 0,
    );
    expect(missed.map(([at, changed]) => [at, JSON.stringify(changed).slice(0, 200)])).toEqual([]);
    expect(changes.length).toBeGreaterThan(20);
  });

  test('another status, or its body, is reported', () => {
    for (const other of [201, 204, 302, 402, 418, 502, undefined]) {
      expect(responseDeviations(path, other, body)).toHaveLength(1);
    }
    const wrong = RESPONSES.filter(([, of]) => (of === 200) !== (status === 200));
    for (const [, , other] of wrong)
      expect(responseDeviations(path, status, other)).not.toEqual([]);
  });
});

describe('a path that the document lacks', () => {
  const bodyOf = (status: number) => RESPONSES.find(([, of]) => of === status)?.[2];

  test.each([400, 404])('%d is described', (status) => {
    expect(responseDeviations('/nothing', status, bodyOf(status))).toEqual([]);
  });

  test.each([200, 401, 403, 405, 429, 500, 503, undefined])('%s is reported', (status) => {
    expect(responseDeviations('/nothing', status, bodyOf(404))).toHaveLength(1);
    expect(
      responseDeviations('/customerData/getConfig/', status, bodyOf(status ?? 200)),
    ).not.toEqual([]);
  });

  test('so is another body', () => {
    const body = { message: 'Missing Authentication Token' };
    expect(responseDeviations('/nothing', 404, body)).not.toEqual([]);
  });
});

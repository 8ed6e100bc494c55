import { describe, expect, test } from 'vitest';
import {
  DOCUMENT,
  exactResponseDeviations,
  responseDeviations,
} from '../../../openapi/validation.ts';

/* Other tests rely on this check: it has to report every kind of wrong response. */

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

/** Properties that a response may lack, by the last two names of its path. */
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

describe.each(RESPONSES)('%s %i', (path, status, body) => {
  test('is described', () => {
    expect(exactResponseDeviations(path, status, body)).toEqual([]);
  });

  test('any change of its shape is reported', () => {
    const changes = [...changesOf(body)];
    const missed = changes.filter(
      ([, changed]) => exactResponseDeviations(path, status, changed).length === 0,
    );
    expect(missed.map(([at, changed]) => [at, JSON.stringify(changed).slice(0, 200)])).toEqual([]);
    expect(changes.length).toBeGreaterThan(20);
  });
});

test('a property that a later release adds is no deviation to an app', () => {
  for (const [path, status, body] of RESPONSES) {
    // An empty second input says that there is none.
    const added = [...changesOf(body)].filter(([at]) => /(?<!subFieldB)\.colour$/.test(at));
    expect(added.length).toBeGreaterThan(1);
    expect(added.flatMap(([, changed]) => responseDeviations(path, status, changed))).toEqual([]);
  }
});

test('another status or path is reported', () => {
  const [, , body] = RESPONSES.find(([, status]) => status === 404) ?? [];
  expect(exactResponseDeviations('/nothing', 404, body)).toEqual([]);
  expect(exactResponseDeviations('/promoCode/apply', 418, body)).toHaveLength(1);
  for (const status of [200, 401, 500, undefined]) {
    expect(exactResponseDeviations('/nothing', status, body)).toHaveLength(1);
  }
});

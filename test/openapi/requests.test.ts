import type { OutgoingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '../integration/service.ts';
import { DOCUMENT, describedStatuses, validatorAt } from './expect-described.ts';

/*
 * Requests made from the document alone, good ones and ones that are broken in one place: the status is the one that the
 * document has for it. That the answer is described is checked by every call.
 */

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

function resolved(schema: Schema): Schema {
  const path = schema.$ref?.slice(2).split('/') ?? [];
  return path.length > 0 ? path.reduce((node, key) => node[key], DOCUMENT) : schema;
}

// Spaces around a code are removed before it is counted, which JSON Schema cannot say.
const character = fc.constantFrom(...'aZ09#%/:é界🎁"\\');

/** A text that obeys a schema; identifiers are bounded in bytes too, as their description says. */
function goodText({ minLength = 0, maxLength = 50 }: Schema) {
  return fc.string({ unit: character, minLength, maxLength: Math.min(maxLength, 60) });
}

function goodValue(schema: Schema): fc.Arbitrary<unknown> {
  return schema.anyOf
    ? fc.oneof(...schema.anyOf.map(goodValue))
    : schema.type === 'null'
      ? fc.constant(null)
      : goodText(schema);
}

/** A value that a schema refuses. */
function badValue(schema: Schema): fc.Arbitrary<unknown> {
  const { minLength = 0, maxLength = 0 } = schema.anyOf?.[0] ?? schema;
  const lengths = [
    fc.string({ unit: character, minLength: maxLength + 1, maxLength: maxLength + 20 }),
    ...(minLength > 0 ? [fc.constant('')] : []),
  ];
  const types = [
    fc.integer(),
    fc.boolean(),
    fc.array(fc.string()),
    fc.dictionary(fc.string(), fc.string()),
  ];
  return fc.oneof(...lengths, ...types, ...(schema.anyOf ? [] : [fc.constant(null)]));
}

describe.each(Object.keys(DOCUMENT.paths))('%s', (path) => {
  const { requestBody } = DOCUMENT.paths[path].post;
  const schemaRef = requestBody.content['application/json'].schema;
  const { properties = {}, required = [] } = resolved(schemaRef);
  const names = Object.keys(properties);
  const isValid = validatorAt(schemaRef.$ref.slice(1));

  const body = fc.record(
    Object.fromEntries(
      names.map((name) => [
        name,
        name === 'clientId' ? fc.constant('demo') : goodValue(resolved(properties[name] ?? {})),
      ]),
    ),
    { requiredKeys: [...required] },
  ) as fc.Arbitrary<Record<string, unknown>>;

  const call = async (request: Record<string, unknown>, headers: OutgoingHttpHeaders = {}) => {
    const user = typeof request.userId === 'string' ? request.userId : 'demo-user';
    const { status } = await service.call(path, { body: request, headers, token: { user } });
    expect(describedStatuses(path)).toContain(String(status));
    return status;
  };

  test('a good request is 200', async () => {
    await fc.assert(
      fc.asyncProperty(body, async (request) => {
        expect(isValid(request)).toBe(true);
        expect(await call(request)).toBe(200);
      }),
    );
  });

  test('a request without one of the required properties is 400', async () => {
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(...required), async (request, name) => {
        const { [name]: _, ...rest } = request;
        expect(isValid(rest)).toBe(false);
        expect(await call(rest)).toBe(400);
      }),
    );
  });

  test('a request with one value that its schema refuses is 400', async () => {
    const broken = fc
      .constantFrom(...names)
      .chain((name) =>
        fc
          .tuple(body, badValue(resolved(properties[name] ?? {})))
          .map(([request, value]) => ({ ...request, [name]: value })),
      );
    await fc.assert(
      fc.asyncProperty(broken, async (request) => {
        expect(isValid(request)).toBe(false);
        expect(await call(request)).toBe(400);
      }),
    );
  });

  const headers = DOCUMENT.paths[path].parameters
    .map(resolved)
    .map(({ name, schema }: { name: string; schema: Schema }) => ({
      name,
      schema: resolved(schema),
    }));

  test('a request without one of the headers, or with one that is too long, is 401', async () => {
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(...headers), async (request, { name, schema }) => {
        expect(await call(request, { [name]: undefined })).toBe(401);
        expect(await call(request, { [name]: 'x'.repeat((schema.maxLength ?? 0) + 1) })).toBe(401);
      }),
      { numRuns: 20 },
    );
  });
});

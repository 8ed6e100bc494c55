import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { DOCUMENT, validatorAt } from '../../../openapi/validation.ts';
import { type Call, startService } from '../../support/service.ts';

/*
 * Requests made from the document alone, valid ones and ones that are invalid in one place: the
 * status is the one that the document has for it. Every call checks that the document describes the
 * response.
 */

const service = await startService();
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

// Identifiers are bounded in bytes too, as their description says.
const MAX_IDENTIFIER = 60;
const MAX_TEXT = 64;

function goodText({ minLength = 0, maxLength = MAX_TEXT }: Schema) {
  const longest = maxLength > MAX_TEXT ? MAX_IDENTIFIER : maxLength;
  return fc.string({ unit: character, minLength, maxLength: longest, size: 'max' });
}

function goodValue(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(goodValue));
  return schema.type === 'null' ? fc.constant(null) : goodText(schema);
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
  const withControlCharacter = fc.constantFrom('\u0000', 'a\nb', 'a\u0085b');
  return fc.oneof(
    withControlCharacter,
    ...lengths,
    ...types,
    ...(schema.anyOf ? [] : [fc.constant(null)]),
  );
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

  const call = async (request: Record<string, unknown>, options: Call = {}) => {
    const { status } = await service.call(path, { body: request, ...options });
    expect(Object.keys(DOCUMENT.paths[path].post.responses)).toContain(String(status));
    return status;
  };

  test('a valid request gets a 200', async () => {
    await fc.assert(
      fc.asyncProperty(body, async (request) => {
        expect(isValid(request)).toBe(true);
        // Those that are refused are refused before their user matters, and signing a token takes
        // longer than a call.
        const token = typeof request.userId === 'string' ? { user: request.userId } : {};
        expect(await call(request, { token })).toBe(200);
      }),
    );
  });

  test('a request that lacks a required property gets a 400', async () => {
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(...required), async (request, name) => {
        const { [name]: _, ...rest } = request;
        expect(isValid(rest)).toBe(false);
        expect(await call(rest)).toBe(400);
      }),
    );
  });

  test('a request with one value that its schema refuses gets a 400', async () => {
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

  const parameters = DOCUMENT.paths[path].parameters.map((parameter: Schema) =>
    resolved(parameter),
  );
  const headers: string[] = [
    ...parameters
      .filter(({ required }: Schema) => required)
      .map(({ name }: { name: string }) => name),
    DOCUMENT.components.securitySchemes.appId.name,
    'Authorization',
    'Content-Type',
  ];

  test('a request with a missing or invalid header gets a 401', async () => {
    const broken = fc.constantFrom(undefined, '', 'x'.repeat(129), '\u0080');
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(...headers), broken, async (request, name, value) => {
        expect(await call(request, { headers: { [name]: value } })).toBe(401);
      }),
    );
  });
});

import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { ClientId } from '../../core/identifiers.ts';
import type { WithRemarks } from '../http/envelope.ts';
import { PayloadTooLargeError, type Problem, ValidationError } from '../http/errors.ts';
import type { RequestSchema } from '../http/operation.ts';

/** The largest request body, in bytes of UTF-8. */
export const MAX_BODY_BYTES = 16 * 1024;

/** The validated request body. */
export interface WithRequest<TRequest> {
  request: TRequest;
  /** The client that a refused body names: only for the log, because nobody has looked for it. */
  namedClientId?: string;
}

// RFC 8259 section 8.1: JSON is UTF-8, and a parser may ignore a byte order mark. This removes it.
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** A property name refused at any depth: merged into an object, it changes what that inherits. */
export const PROTOTYPE_KEY = '__proto__';

/**
 * Parses and validates the JSON body. Properties unknown to the schema are removed; one warning
 * gives their number and names.
 *
 * @throws PayloadTooLargeError
 * @throws ValidationError with one entry per problem.
 */
export function validateBody<TSchema extends RequestSchema>(
  schema: TSchema,
): MiddlewareObj<APIGatewayProxyEvent & WithRemarks & WithRequest<v.InferOutput<TSchema>>> {
  const expected = Object.keys(schema.entries).join(', ');

  return {
    before: function validateJsonBody({ event }) {
      const body = parse(bytesOf(event), expected);
      const unknown = Object.keys(body).filter((key) => !Object.hasOwn(schema.entries, key));
      if (unknown.length > 0) event.warnings.push(removedWarning(unknown));
      const result = v.safeParse(schema, body);
      if (!result.success) {
        if (v.is(ClientId, body.clientId)) event.namedClientId = body.clientId;
        const [first, ...others] = result.issues;
        const mistake = typeof first.input === 'string' ? propertyOf(first) : undefined;
        throw new ValidationError([toProblem(first), ...others.map(toProblem)], mistake);
      }
      event.request = result.output;
    },
  };
}

function bytesOf({ body, isBase64Encoded }: APIGatewayProxyEvent): Buffer {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : undefined);
  if (bytes.length > MAX_BODY_BYTES) {
    throw new PayloadTooLargeError(
      `The request body has ${bytes.length} bytes; at most ${MAX_BODY_BYTES} are allowed.`,
    );
  }
  return bytes;
}

function parse(bytes: Buffer, expected: string): Record<string, unknown> {
  const reject = (problem: string) =>
    new ValidationError([
      { message: `The request body ${problem}; send a JSON object with ${expected}.`, pointer: '' },
    ]);

  if (bytes.length === 0) throw reject('is empty');
  let value: unknown;
  try {
    value = JSON.parse(UTF_8.decode(bytes));
  } catch {
    throw reject('is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw reject('is not a JSON object');
  }
  const pointer = findPrototypeKey(value);
  if (pointer !== undefined) {
    throw new ValidationError([{ message: 'This property name is not allowed.', pointer }]);
  }
  return value as Record<string, unknown>;
}

/** Returns a JSON Pointer to the first `__proto__`, at any depth. */
function findPrototypeKey(root: object): string | undefined {
  // No recursion: 16 KB of brackets nest deeper than the call stack allows.
  const pending: { readonly value: object; readonly pointer: string }[] = [
    { value: root, pointer: '' },
  ];
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const [key, child] of Object.entries(next.value)) {
      const pointer = `${next.pointer}/${pointerToken(key)}`;
      if (key === PROTOTYPE_KEY) return pointer;
      if (typeof child === 'object' && child !== null) pending.push({ value: child, pointer });
    }
  }
  return undefined;
}

/** RFC 6901 section 3. */
function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function removedWarning(names: readonly string[]): string {
  const values = names.length === 1 ? '1 value was' : `${names.length} values were`;
  return `${values} removed from the request data: ${names.join(', ')}.`;
}

/** Request schemas are flat: an issue's path is a property name. */
function propertyOf(issue: v.BaseIssue<unknown>): string {
  return String(v.getDotPath(issue));
}

function toProblem(issue: v.BaseIssue<unknown>): Problem {
  const property = propertyOf(issue);
  const says = issue.input === undefined ? 'is required' : issue.message;
  return { message: `${property} ${says}.`, pointer: `/${pointerToken(property)}` };
}

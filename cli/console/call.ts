import * as v from 'valibot';
import { UsageError } from '../../core/user-error.ts';
import type { Caller } from './caller.ts';
import { failed } from './responses.ts';

/** More than the largest item of DynamoDB (400 KB) as JSON, and its message. In characters. */
const MAX_BODY = 2 * 1024 * 1024;

/** A call of a path of the API. */
export interface Call {
  readonly caller: Caller;
  readonly request: Request;
  /** The client of the path; empty if it has none. */
  readonly clientId: string;
  /** The version of the path; NaN if it has none. */
  readonly version: number;
  readonly query: URLSearchParams;
}

/** Reads `If-Match`: the digest of what the operator has seen. Throws a response. */
export function readBase({ request }: Call): string {
  const [, base] = /^"([0-9a-f]{64})"$/.exec(request.headers.get('If-Match') ?? '') ?? [];
  if (base !== undefined) return base;
  throw failed(428, 'usage', 'If-Match must have the digest of the configuration, in quotes.');
}

/** Reads the JSON of a request. Throws UsageError, or a response. */
export async function readBody<T>(
  { request }: Call,
  schema: v.GenericSchema<unknown, T>,
): Promise<T> {
  const [type] = (request.headers.get('Content-Type') ?? '').split(';');
  if (type !== 'application/json') throw failed(415, 'usage', 'Send application/json.');
  const text = await request.text();
  if (text.length > MAX_BODY) throw failed(413, 'usage', 'The body is too large.');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new UsageError('The body is not JSON.');
  }
  const { success, output, issues } = v.safeParse(schema, body);
  if (success) return output;
  throw new UsageError(`The body is malformed: ${v.getDotPath(issues[0]) ?? 'it'}.`);
}

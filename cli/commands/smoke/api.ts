import { AssertionError } from 'node:assert';
import { responseDeviations } from '../../../openapi/validation.ts';

/** A response of the service that was validated against the OpenAPI document. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Envelope;
}

interface Envelope {
  // biome-ignore lint/suspicious/noExplicitAny: validated against the document
  readonly errors: any[];
  readonly warnings: string[];
  readonly notices: string[];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly data: any;
}

export interface Call {
  readonly method?: string;
  /** Replaces headers of a good request; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Sent as JSON, unless it is a string. */
  readonly body: unknown;
}

const TIMEOUT_MS = 30_000;

/**
 * Calls the service as an app does.
 *
 * @throws AssertionError if the OpenAPI document does not describe the response, or if the response
 *   contradicts itself.
 */
export async function call(
  url: string,
  path: string,
  goodHeaders: Readonly<Record<string, string>>,
  { method = 'POST', headers = {}, body }: Call,
): Promise<Answer> {
  const sent = Object.entries({ ...goodHeaders, ...headers }).filter(
    (header): header is [string, string] => header[1] !== null,
  );
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${url}${path}`, {
    method,
    headers: sent,
    // As bytes: for text, fetch would add a Content-Type.
    ...(method === 'POST' && { body: Buffer.from(text) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { status } = response;
  const answered = await response.text();
  const fail = (problem: string): never => {
    const requestId = response.headers.get('x-amzn-requestid');
    throw new AssertionError({
      message: `${problem}\nResponse to request ${requestId}: ${status} ${answered.slice(0, 500)}`,
    });
  };
  const envelope = parsed(answered) ?? fail('the response is not JSON');
  const [problem] = responseDeviations(path, status, envelope);
  if (problem) fail(`the OpenAPI document does not describe the response: ${problem}`);
  if ((status === 200) !== (envelope.errors.length === 0)) {
    fail(`errors has ${envelope.errors.length} entries with status ${status}`);
  }
  if (status !== 200 && envelope.data.statusCode !== status) {
    fail(`data.statusCode is ${envelope.data.statusCode}`);
  }
  // Apps correct their clock by it. API Gateway sets it.
  if (!response.headers.has('date')) fail('the response has no header Date');
  return { status, headers: response.headers, body: envelope };
}

function parsed(text: string): Envelope | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

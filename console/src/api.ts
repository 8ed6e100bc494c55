import { TEXTS } from './texts.ts';
import type { Conflict } from './types.ts';

const SECRET = 'secret';

/**
 * Takes the secret out of the address, and keeps it for this window. Routes begin with `#/`.
 *
 * @returns true if the address had one.
 */
export function keepSecret(): boolean {
  const { hash } = location;
  if (hash.length <= 1 || hash.startsWith('#/')) return false;
  sessionStorage.setItem(SECRET, hash.slice(1));
  history.replaceState(null, '', '#/');
  return true;
}

/** An error that the API answered, or a lost connection, which has the code `noConnection`. */
export class Failure extends Error {
  readonly code: string;
  /** What became of a change. */
  readonly outcome: 'nothing' | 'unknown' | 'published';
  readonly conflict: Conflict | undefined;

  constructor(
    code: string,
    message: string,
    outcome: Failure['outcome'] = 'nothing',
    conflict?: Conflict,
  ) {
    super(message);
    this.code = code;
    this.outcome = outcome;
    this.conflict = conflict;
  }
}

/** Runs a function, and returns its failure instead of throwing it. Throws other errors. */
export async function attempt<T>(run: () => Promise<T>): Promise<T | Failure> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Reads a path of the API. */
export function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return call(path, signal && { signal }).then((response) => response.json());
}

/** Reads a path of the API as text. */
export function readText(path: string): Promise<string> {
  return call(path).then((response) => response.text());
}

/** Sends a change of the configuration with the digest `base`, or its review. */
export function send<T>(path: string, base: string, body: object): Promise<T> {
  return call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'If-Match': `"${base}"` },
    body: JSON.stringify(body),
  }).then((response) => response.json());
}

/** Returns the path of a client below the API. */
export function clientPath(clientId: string): string {
  return `clients/${encodeURIComponent(clientId)}`;
}

async function call(path: string, init?: RequestInit): Promise<Response> {
  const headers = {
    ...(init?.headers as Record<string, string>),
    'Console-Secret': sessionStorage.getItem(SECRET) ?? '',
  };
  let response: Response;
  try {
    response = await fetch(`api/${path}`, { ...init, headers });
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    throw new Failure('noConnection', TEXTS.failures.noConnection, 'unknown');
  }
  if (response.ok) return response;
  const { error, conflict } = await response.json().catch(() => ({}));
  const { code = 'failed', message = TEXTS.failures.failed, outcome } = error ?? {};
  const { noSecret, noCredentials } = TEXTS.failures;
  const remedy = { noSecret, noCredentials: `${message} ${noCredentials}` }[String(code)];
  throw new Failure(code, remedy ?? message, outcome, conflict);
}

import type { FailureBody } from './answers.ts';
import { TEXTS } from './texts.ts';

const SECRET = 'secret';

/**
 * Takes the secret out of the page or its address, and keeps it for this window. Routes begin with
 * `#/`.
 *
 * @returns true if there was one.
 */
export function keepSecret(): boolean {
  const posted = document.querySelector<HTMLMetaElement>('meta[name=secret]');
  const { hash } = location;
  const secret = posted?.content ?? (hash.startsWith('#/') ? '' : hash.slice(1));
  if (secret === '') return false;
  posted?.remove();
  sessionStorage.setItem(SECRET, secret);
  history.replaceState(null, '', '#/');
  return true;
}

/** Keeps the secret of an address that the console printed. Returns false if it has none. */
export function keepSecretOf(address: string): boolean {
  const [, secret] = /#([\w-]+)\s*$/.exec(address) ?? [];
  if (secret !== undefined) sessionStorage.setItem(SECRET, secret);
  return secret !== undefined;
}

/** What the API answered: a value, or why there is none. */
export interface Answer<T> {
  readonly value?: T | undefined;
  /** Its code is `noConnection` if there was no answer. Missing, too, if nothing has changed. */
  readonly failure?: FailureBody | undefined;
}

/** Reads a path of the API; a client only if its digest is not the known one. */
export function read<T>(path: string, signal?: AbortSignal, known = ''): Promise<Answer<T>> {
  return call(path, { signal: signal ?? null, headers: { 'If-None-Match': `"${known}"` } });
}

/** Sends a change of the configuration with the digest `base`, or its review. */
export function send<T>(path: string, base: string, body: object): Promise<Answer<T>> {
  const headers = { 'Content-Type': 'application/json', 'If-Match': `"${base}"` };
  return call(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Returns the path of a client below the API. */
export function clientPath(clientId: string): string {
  return `clients/${encodeURIComponent(clientId)}`;
}

async function call<T>(path: string, init: RequestInit = {}): Promise<Answer<T>> {
  const headers = new Headers(init.headers);
  headers.set('Console-Secret', sessionStorage.getItem(SECRET) ?? '');
  try {
    const response = await fetch(`api/${path}`, { ...init, headers });
    if (response.status === 304) return {};
    const isCsv = response.headers.get('Content-Type')?.startsWith('text/csv');
    const body = await (isCsv ? response.text() : response.json());
    return response.ok ? { value: body } : { failure: withRemedy(body) };
  } catch {
    const message = TEXTS.failures.noConnection;
    return { failure: { code: 'noConnection', message, outcome: 'unknown' } };
  }
}

function withRemedy(failure: FailureBody): FailureBody {
  const { noSecret, noCredentials, lastAppId, unreadableAppIds, rolloutRunning } = TEXTS.failures;
  const message = {
    noSecret,
    lastAppId,
    unreadableAppIds,
    rolloutRunning,
    noCredentials: `${failure.message} ${noCredentials}`,
  }[failure.code];
  return { ...failure, ...(message !== undefined && { message }) };
}

/** Downloads a text. */
export function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text]));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

import { hash, timingSafeEqual } from 'node:crypto';
import { failed } from './failures.ts';

/** The header with the secret. Not a cookie: other ports of this machine would receive it. */
const SECRET_HEADER = 'Console-Secret';

/** The names of this machine. A page elsewhere whose own name points here sends that name. */
const HOST = /^(127\.0\.0\.1|localhost)(:\d+)?$/;

/**
 * Refuses a request that does not come from the console's own page: one for another host or of
 * another origin, and one to the API without the secret.
 *
 * @returns the refusal; undefined to go on.
 */
export function guard(request: Request, secret: string): Response | undefined {
  const { headers } = request;
  const [host, origin] = [headers.get('Host') ?? '', headers.get('Origin')];
  if (!HOST.test(host) || (origin !== null && origin !== `http://${host}`)) {
    return failed(403, 'foreignCaller', 'Only the page of the console may call its server.');
  }
  if (!isApiPath(request) || isEqualInConstantTime(headers.get(SECRET_HEADER) ?? '', secret))
    return undefined;
  const message = 'Open the address that the console printed when it was started.';
  return failed(401, 'noSecret', message);
}

/** True for the form of the file that opens the page. Its origin is null, and it has the secret. */
export async function isOpening(request: Request, secret: string): Promise<boolean> {
  const { method, url, headers } = request;
  const form = `secret=${secret}`;
  return (
    method === 'POST' &&
    new URL(url).pathname === '/' &&
    HOST.test(headers.get('Host') ?? '') &&
    headers.get('Content-Length') === String(form.length) &&
    isEqualInConstantTime(await request.text(), form)
  );
}

/** True for a path of the API, which needs the secret. The files of the page contain nothing. */
export function isApiPath({ url }: Request): boolean {
  return new URL(url).pathname.startsWith('/api/');
}

/** Compares in constant time. */
function isEqualInConstantTime(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => hash('sha256', text, 'buffer'));
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

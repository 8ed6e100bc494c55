import type { HonoJsonWebKey } from 'hono/utils/jwt/jws';
import { ServiceUnavailableError } from '../../../../../functions/http/errors.ts';
import { JWKS_URI } from '../issuer.ts';

const FRESH_MS = 5 * 60 * 1000;

let cached: { readonly keys: HonoJsonWebKey[]; readonly until: number } | undefined;

/**
 * The keys of the issuer, cached. With the option `jwks_uri`, the middleware would fetch them for
 * each request.
 *
 * @throws ServiceUnavailableError
 */
export async function keySet(): Promise<HonoJsonWebKey[]> {
  if (cached && Date.now() < cached.until) return cached.keys;
  try {
    const response = await fetch(JWKS_URI);
    if (!response.ok) throw new Error(`status ${response.status}`);
    const { keys } = (await response.json()) as { keys: HonoJsonWebKey[] };
    cached = { keys, until: Date.now() + FRESH_MS };
    return keys;
  } catch (cause) {
    throw new ServiceUnavailableError({ cause });
  }
}

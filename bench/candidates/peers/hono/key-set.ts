import type { HonoJsonWebKey } from 'hono/utils/jwt/jws';
import { ServiceUnavailableError } from '../../../../functions/api/errors.ts';
import { JWKS_URI } from '../token.ts';

const FRESH_MS = 5 * 60 * 1000;

let kept: { readonly keys: HonoJsonWebKey[]; readonly until: number } | undefined;

/** The keys of the issuer. With `jwks_uri` the middleware would fetch them for each request. */
export async function keySet(): Promise<HonoJsonWebKey[]> {
  if (kept && Date.now() < kept.until) return kept.keys;
  try {
    const response = await fetch(JWKS_URI);
    if (!response.ok) throw new Error(`status ${response.status}`);
    const { keys } = (await response.json()) as { keys: HonoJsonWebKey[] };
    kept = { keys, until: Date.now() + FRESH_MS };
    return keys;
  } catch (cause) {
    throw new ServiceUnavailableError({ cause });
  }
}

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import { headersOf } from '../../functions/http/request-headers.ts';
import { signIdToken } from '../../local/cognito/id-token.ts';
import { startLocalServer } from '../../local/server/server.ts';
import { readCloudAssembly } from '../../local/synthesize.ts';
import { CLIENT } from './application.ts';
import { readItems } from './campaign.ts';

/** The service, and the user that applies codes. */
interface Target {
  readonly url: string;
  readonly clientId: string;
  readonly appId: string;
  readonly userId: string;
  readonly idToken: string;
  /** Reads the client's items of the PromoEvents table. */
  readonly promoEvents: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

interface Rounds {
  /** Each has a new code. */
  readonly rounds: number;
  /** Each sends one request per round. */
  readonly connections: number;
}

/** Runs the rounds against a local server. */
export async function runLocalRounds(cloudAssembly: string, rounds: Rounds): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const options = { port: 0, folder, hasStreams: false, log: () => {} };
  const server = await startLocalServer(await readCloudAssembly(cloudAssembly), options);
  try {
    const target = {
      ...{ url: server.outputs.ApiUrl, clientId: CLIENT, appId: 'demo-app-key' },
      ...{ userId: 'demo-user', idToken: await signIdToken(server.issuer) },
      promoEvents: () => readItems(server.outputs),
    };
    return await runRounds(target, rounds);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

/**
 * Sends requests for one user and one code at the same moment, each with its own `Request-Date`. One has to be the
 * application and the others its repetitions, in the responses and in the table.
 *
 * @returns a line for each round that went otherwise.
 */
export async function runRounds(
  { url, clientId, appId, userId, idToken, promoEvents }: Target,
  { rounds, connections }: Rounds,
): Promise<string[]> {
  const now = Date.now();
  const dates = Array.from({ length: connections }, (_, ms) => new Date(now + ms).toISOString());
  const answers = new Map<string, string[]>();
  for (let round = 1; round <= rounds; round++) {
    const promoCode = `ROUND-${round}`;
    const request = { ...applyPromoCode.example.request, clientId, userId, promoCode };
    const body = Buffer.from(JSON.stringify(request));
    const held = await Promise.all(
      dates.map((requestDate) => {
        const headers = headersOf({ idToken, appId, deviceId: 'same-moment', requestDate });
        return holdBack(`${url}/promoCode/apply`, headers, body);
      }),
    );
    answers.set(promoCode, await Promise.all(held.map((release) => release())));
  }
  const stored = Map.groupBy(await promoEvents(), (item) => item.promoCode);
  const tally = (words: readonly unknown[]) =>
    [...Map.groupBy(words, (word) => word)].map(([word, { length }]) => `${length} ${word}`);
  return [...answers].flatMap(([promoCode, outcomes]) => {
    const items = stored.get(promoCode) ?? [];
    const answered = outcomes.map((outcome, index) => `${dates[index]} ${outcome}`);
    const kept = items.map(({ requestDate, kind }) => `${requestDate} ${kind}`).sort();
    const applied = outcomes.filter((outcome) => outcome === 'applied');
    if (applied.length === 1 && isDeepStrictEqual(kept, answered)) return [];
    const kinds = items.map(({ kind }) => kind);
    return `${promoCode}: answered ${tally(outcomes)}; stored ${tally(kinds)}`;
  });
}

/**
 * Sends a request except for the last byte of its body.
 *
 * @returns a function that sends the last byte, and returns the outcome of the request or the code of its error.
 */
async function holdBack(
  url: string,
  headers: http.OutgoingHttpHeaders,
  body: Buffer,
): Promise<() => Promise<string>> {
  const { request } = url.startsWith('https:') ? https : http;
  const outgoing = request(url, {
    // A connection of its own.
    ...{ method: 'POST', agent: false },
    headers: { ...headers, 'Content-Length': body.length },
  });
  await new Promise<unknown>((resolve, reject) => {
    outgoing.on('error', reject).write(body.subarray(0, -1), resolve);
  });
  return async () => {
    outgoing.end(body.subarray(-1));
    const [response] = await once(outgoing, 'response');
    const { data } = (await json(response)) as { data: { outcome?: string; code: string } };
    return data.outcome ?? data.code;
  };
}

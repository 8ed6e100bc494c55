import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { headersOf } from '../../functions/http/request-headers.ts';
import { startLocalServer } from '../../packages/local/server/server.ts';
import { readCloudAssembly } from '../../packages/local/synthesize.ts';
import {
  Cleanup,
  createClient,
  createUser,
  type Subject,
} from '../../packages/operator/smoke/subject.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { application, promoEventsOf } from '../e2e/requests.ts';
import { drain } from './campaign.ts';

interface Rounds {
  /** Each has a new code. */
  readonly rounds: number;
  /** Each sends one request per round. */
  readonly connections: number;
  /** Makes the items large. */
  readonly promoCodeToken?: string;
}

/** Runs the rounds against a local server. */
export async function runLocalRounds(cloudAssembly: string, rounds: Rounds): Promise<string[]> {
  await using files = await newFolder();
  const folder = files.path;
  const options = { port: 0, folder, hasStreams: false, log: () => {} };
  const { outputs, stop } = await startLocalServer(await readCloudAssembly(cloudAssembly), options);
  try {
    // Not disposed of: what it would remove goes with the server.
    const cleanup = new Cleanup(() => {});
    const user = await createUser(outputs, join(folder, 'outputs.json'), cleanup);
    const client = await createClient(outputs, user.userId, cleanup);
    const promoEvents = async () => {
      await drain(outputs);
      return promoEventsOf(outputs, client);
    };
    return await runRounds({ url: outputs.ApiUrl, ...user, ...client }, promoEvents, rounds);
  } finally {
    await stop();
  }
}

/**
 * Sends requests for one user and one code at the same moment, each with its own `Request-Date`.
 * One has to be the application and the others its repetitions, in the responses and in the table.
 * On a busy machine, a request may be queued: then only the table says which it was.
 *
 * @returns a line for each round that went otherwise.
 */
async function runRounds(
  subject: Subject,
  promoEvents: () => Promise<Record<string, unknown>[]>,
  { rounds, connections, promoCodeToken }: Rounds,
): Promise<string[]> {
  const now = Date.now();
  const dates = Array.from({ length: connections }, (_, ms) => new Date(now + ms).toISOString());
  const answers: { readonly promoCode: unknown; readonly outcomes: string[] }[] = [];
  for (let round = 0; round < rounds; round++) {
    const { body } = application(subject);
    const held = await Promise.all(
      dates.map((date) => holdBack(subject, date, { ...body, promoCodeToken })),
    );
    const outcomes = await Promise.all(held.map((release) => release()));
    answers.push({ promoCode: body.promoCode, outcomes });
  }
  const stored = Map.groupBy(await promoEvents(), ({ promoCode }) => promoCode);
  return answers.flatMap(({ promoCode, outcomes }) => {
    const items = stored.get(promoCode) ?? [];
    const kinds = items.map(({ kind }) => kind);
    const kept = new Map(items.map(({ requestDate, kind }) => [requestDate, kind]));
    const isKept = (outcome: string, index: number) => {
      const kind = kept.get(dates[index]);
      return outcome === 'queued' ? kind !== undefined : outcome === kind;
    };
    const isWhole = items.length === dates.length && outcomes.every(isKept);
    if (isWhole && kinds.filter((kind) => kind === 'applied').length === 1) return [];
    return `${promoCode}: answered ${tally(outcomes)}; stored ${tally(kinds)}`;
  });
}

/**
 * Sends a request except for the last byte of its body.
 *
 * @returns a function that sends the last byte, and returns the outcome of the request or the code
 *   of its error.
 */
async function holdBack(
  { url, idToken, appId }: Subject,
  requestDate: string,
  body: object,
): Promise<() => Promise<string>> {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = headersOf({ idToken, appId, deviceId: 'same-moment', requestDate });
  const outgoing = request(`${url}/promoCode/apply`, {
    // A connection of its own.
    method: 'POST',
    agent: false,
    headers: { ...headers, 'Content-Length': bytes.length },
  });
  await new Promise<unknown>((resolve, reject) => {
    outgoing.on('error', reject).write(bytes.subarray(0, -1), resolve);
  });
  return async () => {
    outgoing.end(bytes.subarray(-1));
    const [response] = await once(outgoing, 'response');
    const { data } = (await json(response)) as { data: { outcome?: string; code: string } };
    return data.outcome ?? data.code;
  };
}

function tally(words: readonly unknown[]): string {
  const counts = [...Map.groupBy(words, (word) => word)];
  return counts.map(([word, { length }]) => `${length} ${word}`).join(', ');
}

import { indexedDbStorage, promoCodeQueue } from '../../sdk/src/index.ts';
import type { PageInput } from './chromium.test.ts';

/*
 * Two tabs with the same storage. Both add codes at the same time, and then send what is there.
 * Each is told of all codes.
 */

/* What the pages of browsers have, and the types of Node lack. */
declare const location: { readonly hash: string };
declare function open(url: string, target: string, features: string): void;

const CODES = 20;

// With noopener, the other tab gets a process of its own, like one that the customer opens.
if (!location.hash) open('#other', '_blank', 'noopener');

const { session: input, request } = (await (await fetch('/input')).json()) as PageInput;
const session = { ...input, idToken: () => input.idToken };
const reported: string[] = [];
const all = Promise.withResolvers<void>();
const queue = promoCodeQueue({
  session,
  storage: indexedDbStorage(),
  userId: request.userId,
  onResult: (result) => {
    if (reported.push(result.request.promoCode) === 2 * CODES) all.resolve();
  },
});

// The server answers when both tabs are here.
const name = await (await fetch('/start', { method: 'POST' })).text();
const promoCodes = Array.from({ length: CODES }, (_, index) => `${name}-${index}`);
await Promise.all(promoCodes.map((promoCode) => queue.add({ ...request, promoCode })));
await queue.send();
await all.promise;
await fetch('/results', { method: 'POST', body: JSON.stringify(reported.sort()) });

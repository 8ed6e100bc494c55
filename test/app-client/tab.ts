import { indexedDbStorage, promoCodeQueue } from '../../sdk/src/index.ts';
import type { PageInput } from './chromium.test.ts';

/* Two tabs with the same storage. Both add codes at the same time, and then send what is there. */

/* What the pages of browsers have, and the types of Node lack. */
declare const location: { readonly hash: string };
declare function open(url: string, target: string, features: string): void;

const CODES = 20;

// With noopener, the other tab gets a process of its own, like one that the customer opens.
if (!location.hash) open('#other', '_blank', 'noopener');

const { session: input, request } = (await (await fetch('/input')).json()) as PageInput;
const session = { ...input, idToken: () => input.idToken };
const queue = promoCodeQueue({ session, storage: indexedDbStorage() });

// The server answers when both tabs are here.
const name = await (await fetch('/start', { method: 'POST' })).text();
const promoCodes = Array.from({ length: CODES }, (_, index) => `${name}-${index}`);
await Promise.all(promoCodes.map((promoCode) => queue.add({ ...request, promoCode })));
const sent = await queue.send();
const body = JSON.stringify(sent.map(({ request: { promoCode } }) => promoCode));
await fetch('/results', { method: 'POST', body });

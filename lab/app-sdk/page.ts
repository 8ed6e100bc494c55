import {
  type ApplyPromoCodeRequest,
  applyPromoCode,
  getConfig,
  indexedDbStorage,
  installationIdIn,
  loadConfiguration,
  promoCodeQueue,
  type QueuedResult,
  type Session,
} from '../../packages/sdk/src/index.ts';

/* What the tests call in a page of another origin than the API. */

/** The facts that the page cannot know. */
export interface PageInput {
  readonly session: Pick<Session, 'appId' | 'baseUrl' | 'deviceId'> & { readonly idToken: string };
  readonly request: ApplyPromoCodeRequest;
}

const sessionOf = ({ session }: PageInput) => ({ ...session, idToken: () => session.idToken });

/** Calls each operation. */
export async function callService(input: PageInput) {
  const { request } = input;
  const session = sessionOf(input);
  const queued: QueuedResult[] = [];
  const options = {
    session,
    storage: localStorage,
    clientId: request.clientId,
    userId: request.userId,
    onResult: (result: QueuedResult) => queued.push(result),
  };
  await promoCodeQueue(options).add({ ...request, promoCode: 'QUEUED' });
  await promoCodeQueue(options).send();
  return {
    queued,
    config: await getConfig(session, { clientId: request.clientId }),
    refused: await getConfig({ ...session, appId: 'wrong' }, { clientId: request.clientId }),
    applied: await applyPromoCode(session, request, { retry: true }),
    corrected: await withWrongClock(() =>
      applyPromoCode(session, { ...request, promoCode: 'CLOCK' }, { retry: true }),
    ),
    aborted: await getConfig(session, { clientId: 'demo' }, { signal: AbortSignal.abort() }),
  };
}

/** Two days behind, which the service does not accept. */
async function withWrongClock<T>(run: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => now() - 48 * 60 * 60 * 1000;
  try {
    return await run();
  } finally {
    Date.now = now;
  }
}

/** Gets the configuration in a browser with these languages, while something traces requests. */
export async function callWithLanguages(input: PageInput, languages: readonly string[]) {
  Object.defineProperty(navigator, 'languages', { value: languages, configurable: true });
  const traced: typeof fetch = (url, init) =>
    fetch(url, { ...init, headers: { ...init?.headers, traceparent: '00-1-2-01' } });
  const { clientId } = input.request;
  return (await getConfig({ ...sessionOf(input), fetch: traced }, { clientId })).outcome;
}

/** Loads the configuration, and returns the id of the installation as soon as it is stored. */
export async function startOnce(input: PageInput) {
  const { clientId } = input.request;
  const storage = indexedDbStorage();
  const options = { clientId, storage, timeoutMs: 60_000 };
  const configuration = await loadConfiguration(sessionOf(input), options);
  let id: string | undefined;
  // On a busy machine, storing it takes longer than a request waits for it.
  while (id === undefined) id = await installationIdIn(storage);
  return { isLoaded: configuration !== undefined, id };
}

/** Adds two codes at once. Returns if the page is denied Web Locks, and how many codes wait. */
export async function addInMemory(input: PageInput) {
  const stored = new Map<string, string>();
  const { clientId, userId } = input.request;
  const queues = [1, 2].map(() =>
    promoCodeQueue({
      session: sessionOf(input),
      storage: {
        getItem: async (key) => stored.get(key),
        setItem: async (key, value) => void stored.set(key, value),
      },
      clientId,
      userId,
    }),
  );
  await Promise.all(
    queues.map((queue, index) => queue.add({ ...input.request, promoCode: `CODE${index}` })),
  );
  const isDenied = await navigator.locks.request('any', () => false).catch(() => true);
  return { isDenied, waiting: (await queues[0]?.waiting())?.length };
}

const inDatabase = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Opens a database of a name with a store of the page, as another library may. */
export async function openOwnDatabase(name: string) {
  const opening = indexedDB.open(name);
  opening.onupgradeneeded = () => opening.result.createObjectStore('own').put('kept', 'key');
  return inDatabase(opening);
}

/** Stores a value in a database of a name, and returns it with what the page has stored. */
export async function storeIn(name: string) {
  const storage = indexedDbStorage(name);
  await storage.setItem('key', 'value');
  const database = await inDatabase(indexedDB.open(name));
  const own = await inDatabase(database.transaction('own').objectStore('own').get('key'));
  database.close();
  return [await storage.getItem('key'), own];
}

/** Joins the queue of this origin. Returns a function that adds codes to it, and sends it. */
export function joinQueue(input: PageInput, results: number) {
  const reported: string[] = [];
  const all = Promise.withResolvers<void>();
  const queue = promoCodeQueue({
    session: sessionOf(input),
    storage: indexedDbStorage(),
    clientId: input.request.clientId,
    userId: input.request.userId,
    onResult: (result) => {
      if (reported.push(result.request.promoCode) === results) all.resolve();
    },
  });
  /** @returns the codes that were reported, once there are so many. */
  return async (promoCodes: readonly string[]) => {
    await Promise.all(promoCodes.map((promoCode) => queue.add({ ...input.request, promoCode })));
    await queue.send();
    await all.promise;
    return reported.sort();
  };
}

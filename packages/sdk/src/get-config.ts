import { acceptLanguage } from './languages.ts';
import { storageLock } from './queue-lock.ts';
import { now, retries, type SendOptions, send } from './send.ts';
import { isSendableId } from './send-once.ts';
import { STORAGE_MS, within } from './time-limit.ts';
import type {
  AppStorage,
  Configuration,
  GetConfigRequest,
  RequestOptions,
  Result,
  Session,
} from './types.ts';

const PATH = '/customData/getConfig';

/**
 * Options of `getConfig`. When operators give a new configuration to some phones first, one of
 * the two ids decides whether this is one of them. Without both, its `deviceId` does: the outcome
 * can be another one than that of `loadConfiguration`.
 */
export interface GetConfigOptions extends RequestOptions {
  /**
   * The storage of the id of the installation: give that of `loadConfiguration`, which sends the
   * same id. Until an id is stored, the device is not one of them.
   */
  readonly storage?: AppStorage | undefined;
  /** An id that the app made for its installation, and keeps, in place of that in the storage. */
  readonly installationId?: string | undefined;
}

/** Gets the data collection components that the app presents. Never throws: see the result. */
export function getConfig(
  session: Session,
  request: GetConfigRequest,
  options?: GetConfigOptions,
): Promise<Result<Configuration>> {
  return sendGetConfig(session, request, options);
}

async function sendGetConfig(
  session: Session,
  request: GetConfigRequest,
  { storage, installationId, ...options }: GetConfigOptions & Pick<SendOptions, 'mayRetry'> = {},
): Promise<Result<Configuration>> {
  const { result, headers } = await send<Configuration>(session, PATH, request, {
    ...options,
    installationId: installationId ?? (storage && installationIdIn(storage).then((id) => id ?? '')),
  });
  if (result.outcome !== 'success') return result;
  const header = (name: string) => headers?.get(name) || undefined;
  const [configVersion, language] = [header('Config-Version'), header('Content-Language')];
  return { ...result, data: { ...result.data, configVersion, language } };
}

/**
 * The number of the latest request, and of those whose configurations are stored, by their key: the
 * response to an earlier request, also in another language, does not replace that to a later one.
 * Other tabs of a browser have numbers of their own.
 */
let requests = 0;
const stored = new WeakMap<AppStorage, Map<string, number>>();

export interface LoadOptions {
  readonly clientId: string;
  /**
   * The storage of the last configuration, for each base URL, client and language. The queue of
   * promo codes can have the same one.
   */
  readonly storage: AppStorage;
  /**
   * Longest time to wait for the service, in milliseconds; default: 2,500. With 0, a stored copy is
   * returned at once, and what the service answers is kept for the next call.
   */
  readonly timeoutMs?: number;
  /**
   * Called with the result of the request, even if it comes later: it has the reason why a stored
   * copy is returned.
   */
  readonly onResult?: (result: Result<Configuration>) => void;
  /** Called with the error if the configuration could not be kept, such as on a full phone. */
  readonly onUnstored?: (error: unknown) => void;
}

/**
 * Gets the configuration, and keeps it in the storage. If the service does not answer in time, or
 * with an error, returns the one that was kept in this language, or else the last one in another
 * language, or undefined if there is none. With a stored copy, a request that fails is retried
 * once. A configuration that comes later is kept for the next call. Never rejects, and waits for
 * the storage for another second at most.
 */
export async function loadConfiguration(
  session: Session,
  { clientId, storage, timeoutMs = 2500, onResult, onUnstored }: LoadOptions,
): Promise<Configuration | undefined> {
  // The last one in any language, and the last one in this language. Another deployment has others.
  const key = `configuration ${session.baseUrl} ${clientId}`;
  const keys = [`${key} ${acceptLanguage(session)}`, key];
  const readCopy = async () => {
    const read = async (one: string): Promise<Partial<Configuration> | null> =>
      JSON.parse((await storage.getItem(one)) ?? 'null');
    const copies = await Promise.all(keys.map((one) => attempt(COPY_MS, () => read(one))));
    return copies.find((copy): copy is Configuration => Array.isArray(copy?.fields));
  };
  const request = ++requests;
  const fresh = await attempt(timeoutMs, async () => {
    const pause = retries(timeoutMs);
    let hasRetried = false;
    const result = await sendGetConfig(
      session,
      { clientId },
      {
        storage,
        retry: true,
        mayRetry: async (signal, retryAfterMs) => {
          if (hasRetried && (await readCopy())) return false;
          hasRetried = true;
          return pause(signal, retryAfterMs);
        },
      },
    );
    // An error of the callback is the app's, and becomes an unhandled rejection.
    if (onResult) void Promise.resolve(result).then(onResult);
    if (result.outcome !== 'success') return undefined;
    const numbers = stored.get(storage) ?? new Map<string, number>();
    stored.set(storage, numbers);
    if (request > (numbers.get(key) ?? 0)) {
      numbers.set(key, request);
      const copy: Configuration = { ...result.data, storedAt: now(session).toISOString() };
      const text = JSON.stringify(copy);
      // Not awaited: the form does not wait for the storage, which can be full, and can hang.
      const storing = keys.map(async (one) => storage.setItem(one, text));
      void within(STORAGE_MS, () => Promise.all(storing)).catch((error) => onUnstored?.(error));
    }
    return result.data;
  });
  return fresh ?? readCopy();
}

const INSTALLATION_ID = 'installation id';
/** A request waits no longer for the id, in milliseconds. */
const ID_MS = 300;
/** The app waits no longer for the stored copy, in milliseconds. */
const COPY_MS = 1000;

/** The ids that are stored. */
const ids = new WeakMap<AppStorage, string>();

/** Returns the id of this installation. It is random, and undefined until it is stored. */
export async function installationIdIn(storage: AppStorage): Promise<string | undefined> {
  const stored = () => attempt(STORAGE_MS, () => storedId(storage));
  return ids.get(storage) ?? attempt(ID_MS, () => storageLock(INSTALLATION_ID, stored));
}

async function storedId(storage: AppStorage): Promise<string | undefined> {
  let id = await storage.getItem(INSTALLATION_ID);
  if (!isSendableId(id)) {
    // React Native has no crypto.randomUUID.
    const made = `${Math.random()}${Math.random()}`.replaceAll('0.', '');
    await storage.setItem(INSTALLATION_ID, made);
    // Without Web Locks, another tab may have stored its own since.
    id = await storage.getItem(INSTALLATION_ID);
  }
  if (id) ids.set(storage, id);
  return id ?? undefined;
}

/** Returns undefined if it fails, or takes longer than `ms` milliseconds. */
function attempt<T>(ms: number, run: () => T | Promise<T>): Promise<T | undefined> {
  return within(ms, run).catch(() => undefined);
}

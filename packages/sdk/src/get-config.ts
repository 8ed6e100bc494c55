import { acceptLanguage } from './languages.ts';
import { send } from './send.ts';
import type {
  AppStorage,
  Configuration,
  GetConfigRequest,
  RequestOptions,
  Result,
  Session,
} from './types.ts';

const PATH = '/customData/getConfig';

/** Options of `getConfig`. */
export interface GetConfigOptions extends RequestOptions {
  /**
   * An id that the app made for its installation, and keeps. It decides if the app gets a new
   * configuration that only some phones have yet. `loadConfiguration` makes one.
   */
  readonly installationId?: string | undefined;
}

/** Gets the data collection components that the app presents. Never throws: see the result. */
export async function getConfig(
  session: Session,
  request: GetConfigRequest,
  options?: GetConfigOptions,
): Promise<Result<Configuration>> {
  return (await send<Configuration>(session, PATH, request, options)).result;
}

export interface LoadOptions {
  readonly clientId: string;
  /**
   * Where the last configuration is kept, for each language. The queue of promo codes can have the
   * same storage.
   */
  readonly storage: AppStorage;
  /** Longest time to wait for the service, in milliseconds; default: 2,500. */
  readonly timeoutMs?: number;
  /** Called with the result of the request, even if it comes later. */
  readonly onResult?: (result: Result<Configuration>) => void;
}

/**
 * Gets the configuration, and keeps it in the storage. If the service does not answer in time, or
 * with an error, returns the one that was kept in this language, or else the last one in another
 * language, or undefined if there is none. A configuration that comes later is kept for the next
 * call. Never rejects.
 */
export async function loadConfiguration(
  session: Session,
  { clientId, storage, timeoutMs = 2500, onResult }: LoadOptions,
): Promise<Configuration | undefined> {
  // The last one in this language, and the last one in any.
  const keys = [
    `configuration ${clientId} ${acceptLanguage(session)}`,
    `configuration ${clientId}`,
  ];
  let fresh: Configuration | undefined;
  const asking = (async () => {
    const options = { retry: true, retryMs: timeoutMs };
    const installationId = installationIdIn(storage);
    const { result } = await send<Configuration>(
      session,
      PATH,
      { clientId },
      { ...options, installationId },
    );
    if (result.outcome === 'success' && isConfiguration(result.data)) {
      fresh = result.data;
      // A full storage must not hide what the service has sent.
      for (const key of keys) await attempt(() => storage.setItem(key, JSON.stringify(fresh)));
    }
    // An error of the callback is the app's, and becomes an unhandled rejection.
    if (onResult) void Promise.resolve(result).then(onResult);
  })();
  let timer: unknown;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([asking, late]);
  clearTimeout(timer as number);
  if (fresh) return fresh;
  for (const key of keys) {
    const stored = await attempt(async () => JSON.parse((await storage.getItem(key)) ?? 'null'));
    if (isConfiguration(stored)) return stored;
  }
  return undefined;
}

const INSTALLATION_ID = 'installation id';
const making = new WeakMap<AppStorage, Promise<string | undefined>>();

/** A request waits no longer for the id, in milliseconds: a storage can hang. */
const ID_MS = 300;

/** Returns the id of this installation. It is random, and undefined if it cannot be kept. */
export function installationIdIn(storage: AppStorage): Promise<string | undefined> {
  const id =
    making.get(storage) ??
    attempt(async () => {
      const kept = await storage.getItem(INSTALLATION_ID);
      if (kept) return kept;
      // React Native has no crypto.randomUUID.
      const made = `${Math.random()}${Math.random()}`.replaceAll('0.', '');
      await storage.setItem(INSTALLATION_ID, made);
      return made;
    });
  making.set(storage, id);
  void id.then((made) => made || making.delete(storage));
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, ID_MS);
  });
  return Promise.race([id, late.then(() => undefined)]);
}

function isConfiguration(value: Partial<Configuration> | null | undefined): value is Configuration {
  return Array.isArray(value?.fields);
}

/** Returns undefined if the storage fails, or what it has cannot be read. */
async function attempt<T>(run: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch {
    return undefined;
  }
}

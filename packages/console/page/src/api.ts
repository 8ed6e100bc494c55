import { useEffect, useState } from 'preact/hooks';
import type { FailureBody, Outcome, Version } from './answers.ts';
import { TEXTS } from './texts.ts';

const SECRET = 'secret';

/**
 * Takes the secret out of the page or its address, and keeps it for this window. Routes begin with
 * `#/`.
 *
 * @returns true if there was one.
 */
export function keepSecret(): boolean {
  const posted = document.querySelector<HTMLMetaElement>('meta[name=secret]');
  const { hash } = location;
  const secret = posted?.content ?? (hash.startsWith('#/') ? '' : hash.slice(1));
  if (secret === '') return false;
  posted?.remove();
  sessionStorage.setItem(SECRET, secret);
  history.replaceState(null, '', '#/');
  return true;
}

/** The answer of the API: a value, or why there is none. */
export interface Answer<T> {
  readonly value?: T | undefined;
  /** Its code is `noConnection` if there was no answer. Missing, too, if nothing has changed. */
  readonly failure?: FailureBody | undefined;
}

/** Reads a path of the API; a client only if its digest is not the known one. */
export function read<T>(path: string, signal?: AbortSignal, known = ''): Promise<Answer<T>> {
  return call(path, { signal: signal ?? null, headers: { 'If-None-Match': `"${known}"` } });
}

/** Sends a change of the configuration with the digest `base`, or its review. */
export function send<T>(path: string, base: string, body: object): Promise<Answer<T>> {
  const headers = { 'Content-Type': 'application/json', 'If-Match': `"${base}"` };
  return call(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** The ids of the changes that this page has published, or tried to. */
const ownChanges = new Set<string | undefined>();

/** True if this page has published a version. */
export function isByThisPage(version: Pick<Version, 'changeId'> | undefined): boolean {
  return version?.changeId !== undefined && ownChanges.has(version.changeId);
}

/** The id of the last change of each path if nobody knows yet whether it was published. */
const unknownChanges = new Map<string, string>();

/** Publishes a change. If the answer is lost, asks at once whether it was published. */
export async function publish(path: string, base: string, body: object): Promise<Answer<Outcome>> {
  const published = (one: string) => read<{ readonly outcome?: Outcome }>(`${path}/${one}`);
  const id = crypto.randomUUID();
  ownChanges.add(id);
  const answer = await send<Outcome>(path, base, { ...body, id });
  const { value, failure } = answer;
  if (failure?.code === 'noConnection' || failure?.outcome === 'unknown') {
    const asked = await published(id);
    if (asked.value?.outcome) return { value: asked.value.outcome };
    if (asked.value) return { failure: { code: failure.code, message: NOTHING_PUBLISHED } };
    unknownChanges.set(path, id);
    return { failure: { ...failure, outcome: 'unknown' } };
  }
  const earlier = unknownChanges.get(path);
  unknownChanges.delete(path);
  // It was the change before, of which no answer came.
  const outcome =
    value?.hasEffect === false && earlier && (await published(earlier)).value?.outcome;
  return outcome ? { value: outcome } : answer;
}

const NOTHING_PUBLISHED = 'The answer was lost, and nothing was published. Try again.';

/** Returns the path of a client below the API. */
export function clientPath(clientId: string): string {
  return `clients/${encodeURIComponent(clientId)}`;
}

async function call<T>(path: string, init: RequestInit = {}): Promise<Answer<T>> {
  const headers = new Headers(init.headers);
  headers.set('Console-Secret', sessionStorage.getItem(SECRET) ?? '');
  try {
    const response = await fetch(`api/${path}`, { ...init, headers });
    if (response.status === 304) return {};
    const isCsv = response.headers.get('Content-Type')?.startsWith('text/csv');
    // As bytes: a text would lose its byte order mark.
    const body = await (isCsv ? response.blob() : response.json());
    return response.ok ? { value: body } : { failure: withRemedy(body) };
  } catch {
    const message =
      'The console does not answer. Is its command still running? Start it again, and open the new address. Your drafts stay in this browser.';
    return { failure: { code: 'noConnection', message } };
  }
}

const OUTDATED =
  'What is live has changed since the candidate was made. Close this, and choose "Merge with what is live" first.';

/** The remedies, by the kind of a conflict or the code. */
const REMEDIES: Readonly<Record<string, string>> = {
  noSecret:
    'This address has no valid secret. Open the one that your console printed. Your drafts stay in this browser.',
  lastAppId: TEXTS.lastAppId,
  changed: OUTDATED,
  sameFields: OUTDATED,
  rolloutRunning:
    'A rollout of this client runs, and is based on what is live. First give it to all devices or stop it, at the top of "Configuration". Your draft stays.',
};

function withRemedy(failure: FailureBody): FailureBody {
  const { code, message, conflict, lines = [message] } = failure;
  if (code === 'noCredentials') {
    const remedy = 'Sign in again, as for the AWS CLI, and try again. Your draft stays.';
    return { ...failure, message: `${message} ${remedy}`, lines: [...lines, remedy] };
  }
  const remedy = REMEDIES[conflict?.kind ?? code];
  return remedy === undefined ? failure : { ...failure, message: remedy, lines: [remedy] };
}

/** Downloads a text, or its bytes. */
export function save(content: string | Blob, name: string): void {
  const url = URL.createObjectURL(new Blob([content]));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

/** The answer of the API. While it is asked again, the value is the one before. */
export interface Loaded<T> extends Answer<T> {
  readonly isLoading: boolean;
  /** Asks again. */
  readonly reload: () => void;
}

/** Loads a path of the API, again whenever it changes; nothing as long as it is undefined. */
export function useLoaded<T>(path: string | undefined): Loaded<T> {
  return useAnswer<T>(path, (signal) => read(path ?? '', signal));
}

/** Asks the API, again whenever the key changes; nothing as long as it is undefined. */
export function useAnswer<T>(
  key: unknown,
  ask: (signal: AbortSignal) => Promise<Answer<T>>,
): Loaded<T> {
  const [count, setCount] = useState(0);
  const [answer, setAnswer] = useState<Answer<T> & { key?: unknown; count?: number }>({});
  useEffect(() => {
    if (key === undefined) return;
    const controller = new AbortController();
    void ask(controller.signal).then((result) => {
      if (!controller.signal.aborted) setAnswer({ ...result, key, count });
    });
    return () => controller.abort();
  }, [key, count]);
  const isLoading = key !== undefined && (answer.key !== key || answer.count !== count);
  return {
    isLoading,
    value: answer.key === key ? answer.value : undefined,
    failure: isLoading ? undefined : answer.failure,
    reload: () => setCount((one) => one + 1),
  };
}

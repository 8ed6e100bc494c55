import { useEffect, useState } from 'preact/hooks';

export const CLIENT_SCREENS = ['configuration', 'history', 'codes', 'app-ids'] as const;
type ClientScreen = (typeof CLIENT_SCREENS)[number];

/** The screen that the fragment of the address names. */
export interface Route {
  readonly screen: 'clients' | 'problems' | 'unknown' | ClientScreen;
  /** Empty if the screen is not of a client. */
  readonly clientId: string;
}

/** Returns the address of a screen of a client. */
export function clientHref(clientId: string, screen: ClientScreen = 'configuration'): string {
  const path = `#/clients/${encodeURIComponent(clientId)}`;
  return screen === 'configuration' ? path : `${path}/${screen}`;
}

/** Returns the route, and renders again when it changes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = () => setHash(location.hash);
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return routeOf(hash);
}

function routeOf(hash: string): Route {
  const [, first = '', client = '', screen = 'configuration', ...rest] = hash.split('/');
  const known = CLIENT_SCREENS.find((one) => one === screen);
  const clientId = decoded(client);
  if (first === 'clients' && clientId && known && rest.length === 0) {
    return { screen: known, clientId };
  }
  const path = [first, client].filter(Boolean).join('/');
  const screens: Readonly<Record<string, Route['screen']>> = {
    '': 'clients',
    clients: 'clients',
    problems: 'problems',
  };
  return { screen: screens[path] ?? 'unknown', clientId: '' };
}

/** Decodes a segment of a path; empty if it is malformed. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

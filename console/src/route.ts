import { useEffect, useState } from 'preact/hooks';

export const CLIENT_SCREENS = ['configuration', 'history', 'codes', 'app-ids'] as const;
type ClientScreen = (typeof CLIENT_SCREENS)[number];

/** The screen that the fragment of the address names. */
export interface Route {
  readonly screen: 'clients' | 'problems' | ClientScreen;
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
  const [, first, client, screen = 'configuration'] = hash.split('/');
  const known = CLIENT_SCREENS.find((one) => one === screen);
  if (first === 'clients' && client && known) {
    return { screen: known, clientId: decodeURIComponent(client) };
  }
  return { screen: first === 'problems' ? 'problems' : 'clients', clientId: '' };
}

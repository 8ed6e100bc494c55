import { useEffect, useState } from 'preact/hooks';

export const CLIENT_SCREENS = ['configuration', 'history', 'codes', 'app-ids'] as const;
export type ClientScreen = (typeof CLIENT_SCREENS)[number];

/** The screen that the fragment of the address names. */
export type Route =
  | { readonly screen: 'clients' | 'problems' }
  | { readonly screen: ClientScreen; readonly clientId: string };

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
  if (first === 'problems') return { screen: 'problems' };
  const known = CLIENT_SCREENS.find((one) => one === screen);
  if (first !== 'clients' || !client || !known) return { screen: 'clients' };
  return { screen: known, clientId: decoded(client) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

import { useLayoutEffect, useState } from 'preact/hooks';

export const CLIENT_SCREENS = ['configuration', 'history', 'codes', 'access'] as const;
export type ClientScreen = (typeof CLIENT_SCREENS)[number];

/** The screen that the fragment of the address names. */
export interface Route {
  readonly screen: 'clients' | 'unknown' | ClientScreen;
  /** Empty if the screen is not of a client. */
  readonly clientId: string;
  /** The state of the screen, so that an address can be sent. */
  readonly query: URLSearchParams;
}

/** Returns the address of a screen of a client. Empty parameters are left out. */
export function clientHref(
  clientId: string,
  screen: ClientScreen = 'configuration',
  query: Readonly<Record<string, string>> = {},
): string {
  const path = `#/clients/${encodeURIComponent(clientId)}`;
  const parameters = `${new URLSearchParams(Object.entries(query).filter(([, value]) => value))}`;
  return `${screen === 'configuration' ? path : `${path}/${screen}`}${parameters && `?${parameters}`}`;
}

/** Returns the route, and renders again when it changes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  // Later, a change between the first render and the listener would be missed.
  useLayoutEffect(() => {
    const onChange = () => setHash(location.hash);
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return routeOf(hash);
}

function routeOf(hash: string): Route {
  const [place = '', parameters] = hash.split('?', 2);
  const query = new URLSearchParams(parameters);
  const [, first = '', client = '', screen = 'configuration', ...rest] = place.split('/');
  const known = CLIENT_SCREENS.find((one) => one === screen);
  const clientId = decoded(client);
  if (first === 'clients' && clientId && known && rest.length === 0) {
    return { screen: known, clientId, query };
  }
  const path = [first, client].filter(Boolean).join('/');
  // An address of an earlier release is one of the clients.
  const isOfClients = ['', 'clients', 'problems'].includes(path);
  return { screen: isOfClients ? 'clients' : 'unknown', clientId: '', query };
}

/** Decodes a segment of a path; empty if it is malformed. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

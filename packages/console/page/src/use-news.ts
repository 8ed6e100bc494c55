import { useEffect } from 'preact/hooks';
import type { Client } from './answers.ts';
import { clientPath, read } from './api.ts';
import { hasSameContent } from './draft.ts';

/** How often a page that is visible asks what is live: one read, or more if it is not recorded. */
const POLL_MS = { recorded: 5000, unrecorded: 30_000 };

/** Asks regularly, while the page is visible, whether somebody else has published. */
export function useNews(client: Client | undefined, onNews: (isOther: boolean) => void): void {
  useEffect(() => {
    if (!client) return;
    const { clientId, state, live } = client;
    const over = new AbortController();
    const ask = async () => {
      if (document.hidden) return;
      // What is not recorded yet has no author yet.
      const known = live ? state : '';
      const { value } = await read<Client>(clientPath(clientId), over.signal, known);
      const isNews = value && (value.state !== state || value.live);
      if (isNews) onNews(!hasSameContent(value, client));
    };
    const timer = setInterval(ask, POLL_MS[live ? 'recorded' : 'unrecorded']);
    addEventListener('focus', ask, over);
    return () => {
      clearInterval(timer);
      over.abort();
    };
  }, [client]);
}

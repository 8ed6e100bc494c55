import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { close, listen } from 'customer-data-api-deployment/local';
import { EXPOSED_HEADERS, HEADERS } from '../../functions/http/request-headers.ts';

const REQUEST_DATE = HEADERS.requestDate.name;
const [REQUEST_ID, DATE, RETRY_AFTER] = EXPOSED_HEADERS;

/**
 * The outcome of a request: it arrives, which is the service's turn; it or its response is lost; or
 * something between the app and the service answers it.
 */
export type Fate = 'arrives' | 'request lost' | 'response lost' | (() => Response);

/** A request as it left the app, and the response that reached the app. */
export interface Attempt {
  readonly promoCode: string;
  readonly requestDate: string;
  readonly body: string | undefined;
}

/**
 * Starts what is between an app and the service, with the clock of the phone.
 *
 * @param target the base URL of the service.
 */
export async function startPhoneNetwork(target: string) {
  const server = createServer((incoming, response) => {
    // A broken connection to the service becomes one to the app.
    handle(incoming, response).catch(() => response.destroy());
  });
  const network = {
    /** The base URL of the service for the app. */
    url: await listen(server),
    /** Chooses the fate of a request to apply a promo code. Every other request arrives. */
    fateOf: (_promoCode: string): Fate => 'arrives',
    /** The milliseconds by which the clock of the phone is behind that of the service. */
    clockOffset: 0,
    /** Changes the body of each response. */
    change: (body: string): string => body,
    /** Called when the fate of an attempt is over, before its response reaches the app. */
    onAttempt: (_attempt: Attempt, _outgoing: ServerResponse): void => {},
    /**
     * The requests to apply promo codes, in the order in which their responses reached the app or
     * were lost.
     */
    attempts: [] as Attempt[],
    [Symbol.asyncDispose]: () => close(server),
  };

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const bytes = await buffer(incoming);
    const { promoCode } = JSON.parse(bytes.toString());
    const fate = promoCode === undefined ? 'arrives' : network.fateOf(promoCode);
    const response = await responseTo(incoming, bytes, fate);
    const body = response && network.change(await response.text());
    if (promoCode !== undefined) {
      const requestDate = String(incoming.headers[REQUEST_DATE.toLowerCase()]);
      const attempt = { promoCode, requestDate, body };
      network.attempts.push(attempt);
      network.onAttempt(attempt, outgoing);
    }
    if (!response) return void outgoing.destroy();
    const date = Date.parse(response.headers.get(DATE) ?? '');
    const retryAfter = response.headers.get(RETRY_AFTER);
    const location = response.headers.get('Location');
    outgoing
      .writeHead(response.status, {
        'Content-Type': response.headers.get('Content-Type') ?? 'text/html',
        [REQUEST_ID]: response.headers.get(REQUEST_ID) ?? '',
        ...(location && { Location: location }),
        ...(retryAfter && { [RETRY_AFTER]: retryAfter }),
        ...(date && { [DATE]: new Date(date + network.clockOffset).toUTCString() }),
      })
      .end(body);
  }

  async function responseTo(
    { method = '', url, headers }: IncomingMessage,
    body: Buffer,
    fate: Fate,
  ): Promise<Response | undefined> {
    if (fate === 'request lost') return undefined;
    if (typeof fate === 'function') return fate();
    const sent = new Headers(
      Object.values(HEADERS).map(({ name }) => [name, String(headers[name.toLowerCase()])]),
    );
    // What is now for the phone is earlier for the service.
    const requestDate = Date.parse(sent.get(REQUEST_DATE) ?? '') - network.clockOffset;
    sent.set(REQUEST_DATE, new Date(requestDate).toISOString());
    const response = await fetch(`${target}${url}`, { method, headers: sent, body });
    return fate === 'response lost' ? undefined : response;
  }

  return network;
}

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { headersOf } from '../../../functions/api/request-headers.ts';
import { close, listen } from '../../../local/listen.ts';
import { PhoneNetwork } from '../../support/phone-network.ts';

/* What the tests of lost responses rely on: the service gets what the fate says, and a wrong clock is wrong for both sides. */

const HOUR_MS = 60 * 60 * 1000;
const NOW = '2026-11-22T12:00:00.000Z';

let service: Server;
let network: PhoneNetwork;
/** The requests that the service received. */
let received: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
beforeEach(async () => {
  received = [];
  service = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(200, { Date: new Date(NOW).toUTCString() }).end('applied');
  });
  network = await PhoneNetwork.start(await listen(service));
});
afterEach(async () => {
  await network[Symbol.asyncDispose]();
  await close(service);
});

const send = (promoCode: string, requestDate = NOW) =>
  fetch(`${network.url}/promoCode/apply`, {
    method: 'POST',
    headers: headersOf({ idToken: 'token', appId: 'app', deviceId: 'phone', requestDate }),
    body: JSON.stringify({ promoCode }),
  });

test('a request and its response arrive, unless one of them is lost', async () => {
  expect(await (await send('ARRIVES')).text()).toBe('applied');
  network.fateOf = () => 'request lost';
  await expect(send('LOST')).rejects.toThrow();
  network.fateOf = () => 'response lost';
  await expect(send('UNKNOWN')).rejects.toThrow();
  network.fateOf = () => () => new Response('a login page', { status: 511 });
  expect((await send('CAPTIVE')).status).toBe(511);
  expect(received.map(({ body }) => JSON.parse(body).promoCode)).toEqual(['ARRIVES', 'UNKNOWN']);
  expect(network.attempts.map(({ promoCode, body }) => [promoCode, body])).toEqual([
    ['ARRIVES', 'applied'],
    ['LOST', undefined],
    ['UNKNOWN', undefined],
    ['CAPTIVE', 'a login page'],
  ]);
});

test.each([2, -2])(
  'where the clock of the service is %s hours away, what is now for one side is so for the other',
  async (hours) => {
    network.clockOffset = hours * HOUR_MS;
    const phoneTime = new Date(Date.parse(NOW) + network.clockOffset);
    const response = await send('CODE', phoneTime.toISOString());
    expect(received[0]?.headers['request-date']).toBe(NOW);
    expect(response.headers.get('Date')).toBe(phoneTime.toUTCString());
    expect(network.attempts[0]?.requestDate).toBe(phoneTime.toISOString());
  },
);

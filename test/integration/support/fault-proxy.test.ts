import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { close, listen } from '../../../local/listen.ts';
import { FAULTS, type Fault, FaultProxy, noWrites } from '../../support/fault-proxy.ts';

/* What the campaign against the service relies on: the caller sees the fault, and the target does what its name says. */

/** Long enough for a response on this machine, in milliseconds. */
const PATIENCE_MS = 300;

let target: Server;
let proxy: FaultProxy;
/** The bodies that the target received. */
let received: string[];
beforeEach(async () => {
  received = [];
  target = createServer(async (request, response) => {
    received.push(await text(request));
    response.writeHead(200, { 'X-Target': 'yes' }).end('{"done":true}');
  });
  proxy = await FaultProxy.start();
  proxy.target = await listen(target);
});
afterEach(async () => {
  await close(proxy.server);
  await close(target);
});

/** Sends a call. Returns what the caller sees of the response. */
async function send(operation = 'UpdateItem'): Promise<string> {
  let seen = '';
  try {
    const response = await fetch(proxy.url, {
      method: 'POST',
      headers: { 'X-Amz-Target': `DynamoDB_20120810.${operation}` },
      body: operation,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    seen += `${response.status} `;
    for await (const chunk of response.body ?? []) seen += Buffer.from(chunk).toString();
    return seen;
  } catch (error) {
    return `${seen}${(error as Error).name === 'TimeoutError' ? 'silence' : 'broken connection'}`;
  }
}

test('without a fault, the caller gets the response of the target', async () => {
  expect(await send()).toBe('200 {"done":true}');
  expect(received).toEqual(['UpdateItem']);
  expect(proxy.faultCounts.size).toBe(0);
});

const EXPECTED: Record<Fault, [seen: RegExp, calls: number]> = {
  'not permitted': [/^400 .*AccessDeniedException/, 0],
  throttled: [/^400 .*ProvisionedThroughputExceededException/, 0],
  'internal error': [/^500 .*InternalServerError/, 0],
  'connection reset, not executed': [/^broken connection$/, 0],
  'connection reset, executed': [/^broken connection$/, 1],
  'no response, executed': [/^silence$/, 1],
  'no response, not executed': [/^silence$/, 0],
  'truncated response': [/^200 \{"silence$/, 1],
};

test.each<Fault>([...FAULTS, 'not permitted'])('%s: the name says what happens', async (fault) => {
  const done: string[] = [];
  proxy.faultOf = () => fault;
  proxy.onDone = async ({ operation }) => {
    await setTimeout(10);
    done.push(operation);
  };
  const [seen, calls] = EXPECTED[fault];
  expect(await send()).toMatch(seen);
  expect(done).toHaveLength(calls);
  expect([...proxy.faultCounts]).toEqual([[fault, 1]]);
  // A call that was forwarded after all would arrive before the next one.
  proxy.faultOf = () => undefined;
  await send('GetItem');
  expect(received).toEqual([...Array(calls).fill('UpdateItem'), 'GetItem']);
});

test('noWrites throttles what writes, and nothing else', async () => {
  proxy.faultOf = noWrites;
  for (const operation of ['UpdateItem', 'PutItem']) expect(await send(operation)).toMatch(/^400 /);
  for (const operation of ['GetItem', 'Query']) expect(await send(operation)).toMatch(/^200 /);
  expect(received).toEqual(['GetItem', 'Query']);
});

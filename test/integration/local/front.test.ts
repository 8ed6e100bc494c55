import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createFront } from '../../../local/fault-switch.ts';
import { close, listen } from '../../../local/listen.ts';

test('a front forwards to its server, and cuts connections off while an operation is down or the server has stopped', async () => {
  const server = createServer((_, response) => response.end('behind'));
  await listen(server);
  const front = createFront(server, (operation) => operation === 'PutItem');
  const origin = await listen(front);
  const call = async (operation: string) => {
    const headers = { 'X-Amz-Target': `DynamoDB_20120810.${operation}` };
    return (await fetch(origin, { headers })).text();
  };
  expect(await call('GetItem')).toBe('behind');
  await expect(call('PutItem')).rejects.toThrow();
  await close(server);
  await expect(call('GetItem')).rejects.toThrow();
  await close(front);
});

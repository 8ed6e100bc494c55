import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { createServer, get } from 'node:http';
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { expect, test } from 'vitest';
import { takeAttempts } from '../../support/no-network.ts';

test.each<[attempt: string, attempt: () => unknown, refusal: string]>([
  ['opens a TCP connection', () => connect(9, '127.0.0.1'), 'open a connection'],
  ['opens a TLS connection', () => connectSecurely(9, '127.0.0.1'), 'open a connection'],
  ['sends a request over HTTP', () => get('http://127.0.0.1:9/'), 'open a connection'],
  ['fetches a URL', () => fetch('http://127.0.0.1:8080/'), 'open a connection'],
  ['listens on a port', () => createServer().listen(0, '127.0.0.1'), 'listen on a port'],
  ['opens a datagram socket', () => createSocket('udp4').bind(), 'open a datagram socket'],
  ['sends a datagram', () => createSocket('udp4').send('x', 9, '127.0.0.1'), 'send a datagram'],
  ['starts a process', () => execFile(process.execPath, ['--version']), 'start a process'],
])('a unit test that %s is refused', async (_, attempt, refusal) => {
  try {
    await attempt();
  } catch {
    // A client that retries does this.
  }
  expect(takeAttempts().map(({ message }) => message)).toEqual([
    expect.stringContaining(`must not ${refusal}`),
  ]);
});

test.fails('an attempt whose refusal is ignored fails the test', () => {
  try {
    connect(9, '127.0.0.1');
  } catch {
    // As above.
  }
});

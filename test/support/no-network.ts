/**
 * Set-up of the unit tests: nothing in them can open a socket, listen on one, or start a process, which could. What a
 * test would hide in a `catch` is not hidden: the test fails all the same.
 */
import { ChildProcess } from 'node:child_process';
import { Socket as DatagramSocket } from 'node:dgram';
import { Server, Socket } from 'node:net';
import { afterEach } from 'vitest';

const attempts: Error[] = [];

function refuse(what: string) {
  return () => {
    const error = new Error(`A unit test must not ${what}: it belongs to another kind of test.`);
    attempts.push(error);
    throw error;
  };
}

/** The attempts since the last call; they no longer fail the test. */
export function takeAttempts(): Error[] {
  return attempts.splice(0);
}

Socket.prototype.connect = refuse('open a connection');
Server.prototype.listen = refuse('listen on a port');
DatagramSocket.prototype.bind = refuse('open a datagram socket');
DatagramSocket.prototype.connect = refuse('open a datagram socket');
DatagramSocket.prototype.send = refuse('send a datagram');
Object.assign(ChildProcess.prototype, { spawn: refuse('start a process') });

afterEach(() => {
  const [first] = takeAttempts();
  if (first) throw first;
});

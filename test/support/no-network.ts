/**
 * Setup of the unit tests. They can neither open a socket, nor listen on one, nor start a process that could. An attempt
 * fails the test even if the test catches the error.
 */
import { ChildProcess } from 'node:child_process';
import { Socket as DatagramSocket } from 'node:dgram';
import { Server, Socket } from 'node:net';
import { afterEach } from 'vitest';

const attempts: Error[] = [];

function forbid(action: string) {
  return () => {
    const error = new Error(`A unit test must not ${action}: it belongs to another kind of test.`);
    attempts.push(error);
    throw error;
  };
}

/** Returns the attempts since the last call. They no longer fail the test. */
export function takeAttempts(): Error[] {
  return attempts.splice(0);
}

Socket.prototype.connect = forbid('open a connection');
Server.prototype.listen = forbid('listen on a port');
DatagramSocket.prototype.bind = forbid('open a datagram socket');
DatagramSocket.prototype.connect = forbid('open a datagram socket');
DatagramSocket.prototype.send = forbid('send a datagram');
Object.assign(ChildProcess.prototype, { spawn: forbid('start a process') });

afterEach(() => {
  const [first] = takeAttempts();
  if (first) throw first;
});

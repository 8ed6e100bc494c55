import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { close, listen } from '../../packages/deployment/local/listen.ts';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { pythonProgram } from '../python.ts';

/** A running AWS emulator on this machine. */
export interface Ministack {
  readonly url: string;
  /** Its certificate, which clients must trust. */
  readonly certificateFile: string;
  /** The id of its process group. */
  readonly group: number;
  readonly logFile: string;
  /** Stops it and everything that it started, and removes its files. */
  readonly stop: () => Promise<void>;
}

/**
 * The services that the stack and the CDK need; `pipes` is of release 0.1.0. Others would listen on
 * additional ports, on every interface.
 */
const SERVICES = [
  'apigateway',
  'cloudformation',
  'cognito-idp',
  'dynamodb',
  'dynamodbstreams',
  'events',
  'iam',
  'kms',
  'lambda',
  'logs',
  'monitoring',
  'pipes',
  's3',
  'sns',
  'sqs',
  'ssm',
  'sts',
];

const READY = 'Running on';
const START_MS = 5 * 60_000;
const STOP_MS = 10_000;
const POLL_MS = 100;

/**
 * Starts MiniStack on a free port of this machine. It serves HTTPS, because the bucket made by `cdk
 * bootstrap` refuses plain HTTP, and it enforces IAM policies, so that a permission missing in the
 * stack is noticed.
 *
 * @throws UserError if it cannot be installed or does not start.
 */
export async function startMinistack(): Promise<Ministack> {
  const program = await pythonProgram('ministack');
  const { path: folder, remove } = await newFolder();
  const logFile = join(folder, 'ministack.log');
  // To a file, not to a pipe, because it may outlive this process.
  const log = await open(logFile, 'w');
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const child = spawn(program, {
    // A process group of its own, which the functions join, so that all of them can be ended.
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: {
      PATH: process.env.PATH,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      SERVICES: SERVICES.join(','),
      USE_SSL: '1',
      AUTH: 'true',
      // Otherwise this service listens on every interface, even if SERVICES does not name it.
      IOT_MTLS_ENABLED: '0',
      // For the functions, which inherit MiniStack's environment: no other variable changes the
      // host of the key set.
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: url,
      // The folder for the certificate.
      TMPDIR: folder,
    },
  });
  await log.close();
  child.unref();
  const group = child.pid;
  if (!group) throw new UserError(`${program} cannot be started.`);
  const stop = async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      signalled(group, signal);
      for (let ms = 0; ms < STOP_MS && signalled(group, 0); ms += POLL_MS)
        await setTimeout(POLL_MS);
    }
    await remove();
  };
  for (let ms = 0; ; ms += POLL_MS) {
    const printed = await readFile(logFile, 'utf8');
    if (printed.includes(READY)) break;
    if (ms > START_MS || child.exitCode !== null) {
      await stop();
      throw new UserError(`MiniStack does not start.\n${printed}`);
    }
    await setTimeout(POLL_MS);
  }
  return {
    url,
    certificateFile: join(folder, 'ministack-tls', 'server.crt'),
    group,
    logFile,
    stop,
  };
}

/**
 * Returns a free port below those that systems give out: no other server gets it in the seconds
 * until MiniStack listens.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const [port, server] = [randomInt(10_000, 32_000), createServer()];
    const isFree = await listen(server, port).then(Boolean, () => false);
    if (!isFree) continue;
    await close(server);
    return port;
  }
}

/** @returns false if the group has no process any more. */
function signalled(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

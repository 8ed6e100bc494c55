import { spawn } from 'node:child_process';
import { mkdtemp, open, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { UserError } from '../../core/user-error.ts';
import { close, listen } from '../../local/listen.ts';
import { pythonProgram } from '../support/python.ts';

/** A running AWS emulator on this machine. */
export interface Ministack {
  readonly url: string;
  /** Its certificate, which clients must trust. */
  readonly certificateFile: string;
  /** The id of its process group. */
  readonly group: number;
  readonly logFile: string;
  /**
   * Finds the ports that it and its functions have opened to other machines. On systems without
   * `/proc`, it finds none.
   */
  readonly openPorts: () => Promise<string[]>;
  /** Stops it and everything that it started, and removes its files. */
  readonly stop: () => Promise<void>;
}

/**
 * The services that the stack and the CDK need. Others would listen on additional ports, on every
 * interface.
 */
const SERVICES = [
  ...['apigateway', 'cloudformation', 'cognito-idp', 'dynamodb', 'dynamodbstreams', 'events'],
  ...['iam', 'kms', 'lambda', 'logs', 'monitoring', 'pipes', 's3', 'sns', 'sqs', 'ssm', 'sts'],
];

const READY = 'Running on';
const START_MS = 60_000;
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
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const logFile = join(folder, 'ministack.log');
  // To a file, not to a pipe, because it may outlive this process.
  const log = await open(logFile, 'w');
  const server = createServer();
  const { port } = new URL(await listen(server));
  await close(server);
  const url = `https://127.0.0.1:${port}`;
  const child = spawn(program, {
    // A process group of its own, which the functions join, so that all of them can be ended.
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: {
      PATH: process.env.PATH,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: port,
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
    await rm(folder, { recursive: true, force: true });
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
    openPorts: () => openPortsOf(group),
    stop,
  };
}

/**
 * Finds the addresses and ports on which the processes of a group listen for other machines, in
 * hexadecimal (https://man7.org/linux/man-pages/man5/proc_pid_net.5.html).
 */
async function openPortsOf(group: number): Promise<string[]> {
  const inodes = await socketsOf(group);
  const files = ['/proc/net/tcp', '/proc/net/tcp6'];
  const tables = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      // The last byte of each word comes first: 127.0.0.0/8, and ::1.
      const isLocal = /^(?:\w{6}7F|0{24}01000000):/.test(local);
      return state === '0A' && !isLocal && inodes.has(inode) ? [local] : [];
    }),
  );
}

/** Finds the inodes of the sockets that the processes of a group have open. */
async function socketsOf(group: number): Promise<ReadonlySet<string>> {
  const inodes = new Set<string>();
  for (const pid of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    // A process may end meanwhile. The name of its program, in parentheses, may contain anything.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    if (stat.slice(stat.lastIndexOf(')')).split(' ')[3] !== String(group)) continue;
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '');
      const [, inode] = /^socket:\[(\d+)\]$/.exec(target) ?? [];
      if (inode !== undefined) inodes.add(inode);
    }
  }
  return inodes;
}

/** @returns false if the group has no process any more. */
function signalled(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

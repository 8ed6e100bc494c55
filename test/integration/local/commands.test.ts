import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { databaseClient } from '../../../local/database.ts';

/* The commands as a person runs them: processes of their own, with a folder of their own. */

vi.setConfig({ testTimeout: 120_000 });

const PROJECT = new URL('../../..', import.meta.url);

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(script: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, ...args],
      { cwd: PROJECT, env: { ...process.env, ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** Starts the server and waits for its banner. */
async function start(args: string[]): Promise<{ server: ChildProcess; banner: string }> {
  const server = spawn(process.execPath, ['bin/start.ts', ...args], {
    cwd: PROJECT,
    env: { ...process.env, PORT: '0', npm_lifecycle_event: undefined },
  });
  children.push(server);
  return { server, banner: await text(server.stdout, '"source":"profile"}\'') };
}

/** What a process has written once it has written something expected. */
async function text(stream: Readable, expected: string): Promise<string> {
  let written = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    written += chunk;
    if (written.includes(expected)) return written;
  }
  throw new Error(`The process ended without ${expected}: ${written}`);
}

async function outputsIn(folder: string): Promise<Record<string, string>> {
  const stacks = JSON.parse(await readFile(join(folder, 'outputs.json'), 'utf8'));
  expect(Object.keys(stacks)).toEqual(['CustomerDataApi-dev']);
  return stacks['CustomerDataApi-dev'];
}

const children: ChildProcess[] = [];
// Also those of a test that failed before it ended them.
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('npm start', () => {
  test('runs until it is told to stop, and keeps the data of --data', async () => {
    const args = ['--folder', join(folder, 'run'), '--data', join(folder, 'data')];
    for (const run of ['first', 'second']) {
      const { server, banner } = await start(args);
      const outputs = await outputsIn(join(folder, 'run'));
      expect(Object.keys(outputs).sort()).toEqual([
        'ApiUrl',
        'ConfigsTableName',
        'DynamoDbEndpoint',
        'JwksUri',
        'PromoEventsBusName',
        'PromoEventsDeadLetterQueueUrl',
        'PromoEventsQueueUrl',
        'PromoEventsTableName',
        'SqsEndpoint',
        'UserIdClaim',
        'UserPoolClientId',
        'UserPoolId',
      ]);
      for (const output of [
        'ApiUrl',
        'DynamoDbEndpoint',
        'ConfigsTableName',
        'PromoEventsTableName',
      ]) {
        expect(banner).toContain(outputs[output]);
      }

      const commands = banner.match(/^curl [\s\S]*?'$/gm) ?? [];
      expect(commands).toHaveLength(2);
      const [config, promo] = await Promise.all(commands.map(paste));
      expect(JSON.parse(config ?? '').data.fields).toHaveLength(4);
      expect(JSON.parse(promo ?? '').errors).toEqual([]);

      const dynamodb = databaseClient(outputs.DynamoDbEndpoint ?? '');
      const { TableNames } = await dynamodb.send(new ListTablesCommand({}));
      expect(TableNames?.sort()).toEqual([outputs.ConfigsTableName, outputs.PromoEventsTableName]);
      const { Count } = await dynamodb.send(
        new ScanCommand({ TableName: outputs.PromoEventsTableName }),
      );
      expect(Count).toBe(run === 'first' ? 1 : 2);
      dynamodb.destroy();

      server.kill(run === 'first' ? 'SIGTERM' : 'SIGINT');
      const [code] = await once(server, 'exit');
      expect(code).toBe(0);
      expect(await readdir(join(folder, 'run'))).not.toContain('outputs.json');
    }
  });

  test('answers the calls of the README as it prints them', async () => {
    const args = ['--folder', join(folder, 'readme')];
    const { server } = await start(args);
    const { ApiUrl = '' } = await outputsIn(join(folder, 'readme'));
    const readme = await readFile(new URL('README.md', PROJECT), 'utf8');
    const calls = readme.matchAll(/```sh\n(curl [\s\S]*?)\n```\n[\s\S]*?```json\n(.*)\n```/g);
    const answers = [...calls].map(async ([, command = '', printed]) => {
      const here = command
        .replace('http://127.0.0.1:3000', ApiUrl)
        .replace('npm run --silent token', `npm run --silent token -- ${args.join(' ')}`);
      const answer = await paste(here);
      expect(answer.trimEnd()).toBe(printed);
    });
    expect(answers).toHaveLength(2);
    await Promise.all(answers);
    server.kill('SIGTERM');
    await once(server, 'exit');
  });

  /** Runs a printed command as a shell would. */
  async function paste(command: string): Promise<string> {
    return new Promise((resolve, reject) => {
      execFile('sh', ['-c', command], { cwd: PROJECT }, (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      );
    });
  }

  test('says in one line that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const PORT = String((other.address() as AddressInfo).port);
    const { code, stdout, stderr } = await run('bin/start.ts', ['--folder', join(folder, 'port')], {
      PORT,
    });
    other.close();
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(new RegExp(`^Port ${PORT} cannot be used \\(EADDRINUSE\\)\\. .*\\n$`));
  });

  test('stops when npm, which started it, is told to', async () => {
    const npmFolder = join(folder, 'npm');
    const npm = spawn('npm', ['start', '--', '--folder', npmFolder], {
      cwd: PROJECT,
      env: { ...process.env, PORT: '0' },
    });
    await text(npm.stdout, 'Ctrl-C');
    npm.kill('SIGTERM');
    await vi.waitUntil(async () => !(await readdir(npmFolder)).includes('outputs.json'), 10_000);
  });

  test('says in one line that the data folder cannot be used', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    const args = ['--folder', join(folder, 'unusable'), '--data', file];
    const { code, stderr } = await run('bin/start.ts', args, { PORT: '0' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The data folder .* cannot be used\. .*\n$/);
  });

  test('says in one line that PORT is no port', async () => {
    for (const PORT of ['abc', '-1', '65536', '']) {
      const { code, stderr } = await run('bin/start.ts', [], { PORT });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^PORT is .*\n$/);
    }
  });

  test.each([
    ['--data', ''],
    ['--context', 'configCacheSeconds'],
    ['--context', '=1'],
  ])('refuses %s %j in one line', async (option, value) => {
    const { code, stderr } = await run('bin/start.ts', [option, value]);
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('says which setting is wrong', async () => {
    const args = ['--folder', join(folder, 'context'), '--context', 'configCacheSeconds=soon'];
    const { code, stderr } = await run('bin/start.ts', args);
    expect(code).toBe(1);
    expect(stderr).toContain('The setting configCacheSeconds must be a whole number from 0 to 900');
    expect(stderr).not.toContain('    at ');
  });
});

describe('npm run token', () => {
  test('says in one line that no server is running', async () => {
    const { code, stdout, stderr } = await run('bin/token.ts', ['--folder', join(folder, 'none')]);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toBe('The local server is not running. Start it with npm start.\n');
  });

  test.each([
    ['--expires-in', 'soon'],
    ['--claims', '{'],
    ['--claims', '[]'],
  ])('refuses %s %s in one line', async (option, value) => {
    const { code, stderr } = await run('bin/token.ts', [option, value]);
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('prints a token with the claims that were asked for, and nothing else', async () => {
    const args = ['--folder', join(folder, 'token')];
    const { server } = await start(args);
    const token = async (...more: string[]) => {
      const { stdout, stderr } = await run('bin/token.ts', [...args, ...more]);
      expect(stderr).toBe('');
      expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
      return decodeJwt(stdout);
    };
    const now = Math.floor(Date.now() / 1000);
    const { UserPoolId, UserPoolClientId } = await outputsIn(join(folder, 'token'));
    expect(await token()).toMatchObject({
      sub: 'demo-user',
      aud: UserPoolClientId,
      iss: `https://cognito-idp.us-east-1.amazonaws.com/${UserPoolId}`,
      token_use: 'id',
    });
    expect((await token('--user', 'jane')).sub).toBe('jane');
    expect((await token('--expires-in', '-60')).exp).toBeLessThan(now);
    expect((await token('--expires-in', '60')).exp).toBeGreaterThanOrEqual(now + 60);
    const claims = { aud: 'a', iss: 'b', token_use: 'access', custom: [1] };
    expect(await token('--claims', JSON.stringify(claims))).toMatchObject(claims);
    expect(await token('--claims', '{"exp":null}')).not.toHaveProperty('exp');
    server.kill('SIGTERM');
    await once(server, 'exit');
  });
});

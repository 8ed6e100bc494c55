import { execFile, execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyDigest } from '../../core/clients/key-digest.ts';
import { type Finished, PROJECT, run } from '../support/processes.ts';
import { PROMO_REQUEST, type Service, startService } from '../support/service.ts';

/* Commands as programs: arguments in, data on stdout, the rest on stderr, exit code out; and on a terminal. */

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

function customerData(words: string): Promise<Finished> {
  return run('customer-data', [...words.split(' '), '--outputs', service.outputsFile]);
}

test('the life of a client, a command after the other', async () => {
  const created = await customerData('clients create pizza');
  expect(created.code).toBe(0);
  const appId = created.stdout.trim();
  expect(appId).toMatch(/^[0-9a-f-]{36}$/);
  expect(created.stderr).not.toContain(appId);
  expect((await customerData('clients create pizza')).code).toBe(3);
  const added = (await customerData('keys add pizza')).stdout.trim();
  const keys = [appId, added].map(keyDigest).sort().join('\n');
  expect(await customerData('keys list pizza')).toEqual({
    code: 0,
    stdout: `${keys}\n`,
    stderr: '',
  });
  expect((await customerData(`keys revoke pizza ${keyDigest(appId)}`)).code).toBe(2);
  expect((await customerData(`keys revoke pizza ${keyDigest(appId)} --yes`)).code).toBe(0);
  const shown = await customerData('clients show pizza');
  expect(shown.stdout).toContain(`  keys         ${keyDigest(added)}\n`);
  const listed = await customerData('clients list --json');
  expect(
    listed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).clientId),
  ).toContain('pizza');
  expect((await customerData('clients remove pizza --yes')).code).toBe(0);
  expect((await customerData('clients show pizza')).code).toBe(1);
});

test('what became of promo codes', async () => {
  await service.applyPromoCode({ body: PROMO_REQUEST });
  const { clientId, userId, promoCode } = PROMO_REQUEST;
  const { code, stdout, stderr } = await customerData(`promo list ${clientId} --user ${userId}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(promoCode);
  expect((await customerData('queue show --json')).stdout).toBe(
    '{"deadLetters":{"promoEvents":[],"others":[],"unread":0},"queue":{"waiting":0}}\n',
  );
  expect((await customerData('doctor')).code).toBe(0);
  const erased = await customerData(`user erase --client ${clientId} --user ${userId} --yes`);
  expect(erased.stdout).toContain('Removed from the table: 1\n');
  expect(erased.code).toBe(0);
});

test('the reader of a list may end before the list does', async () => {
  for (let number = 0; number < 300; number++) {
    await service.putConfig({
      clientId: `${number}-${'x'.repeat(240)}`,
      fields: [],
      lastFieldId: 0,
    });
  }
  const command = `node bin/customer-data.ts clients list --outputs '${service.outputsFile}'`;
  const { stdout, stderr } = await new Promise<Record<'stdout' | 'stderr', string>>((resolve) => {
    execFile(
      'sh',
      ['-c', `(${command}; echo "exit code $?" >&2) | head -n 1`],
      { cwd: PROJECT },
      (_error, out, err) => resolve({ stdout: out, stderr: err }),
    );
  });
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toBe('exit code 0\n');
});

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import pty']);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!hasPython())('on a terminal', () => {
  /** Runs a command on a pseudo terminal, where somebody types. Returns what the terminal shows. */
  function onTerminal(words: string, typed: string, columns: number): Promise<Finished> {
    const line = `stty cols ${columns} rows 24; exec node bin/customer-data.ts ${words} --outputs '${service.outputsFile}'`;
    const spawn = 'import os,pty,sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';
    return new Promise((resolve) => {
      const { NO_COLOR, FORCE_COLOR, ...env } = process.env;
      const child = execFile(
        'python3',
        ['-c', spawn, 'sh', '-c', line],
        { cwd: PROJECT, env: { ...env, TERM: 'xterm-256color' } },
        (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
      );
      child.stdin?.write(typed);
    });
  }

  test.each([80, 200])('of %d columns, a command asks and takes an answer', async (columns) => {
    const clientId = `columns-${columns}`;
    await service.putConfig({ clientId, appIds: [], fields: [], lastFieldId: 0 });
    const declined = await onTerminal(`clients remove ${clientId}`, 'no\n', columns);
    expect(declined.code).toBe(1);
    expect(declined.stdout).toContain(`\x1b[31madmits nobody\x1b[39m`);
    expect(declined.stdout).toContain('Nothing was changed.');
    const removed = await onTerminal(`clients remove ${clientId}`, `${clientId}\n`, columns);
    expect(removed.stdout).toContain(`Removed the client ${clientId}`);
    expect(removed.code).toBe(0);
  });
});

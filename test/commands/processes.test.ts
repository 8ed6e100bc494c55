import { execFile, execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { keyDigest } from '../../core/clients/key-digest.ts';
import { customerData as runInProcess } from '../support/command-line.ts';
import { PIZZA } from '../support/configurations.ts';
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

/** The same in this process, which is quicker. */
function inProcess(words: string): Promise<Finished> {
  return runInProcess([...words.split(' '), '--outputs', service.outputsFile]);
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
  const found = await customerData(`user erase --client ${clientId} --user ${userId} --dry-run`);
  expect(found.code).toBe(0);
  const erased = await customerData(`user erase --client ${clientId} --user ${userId} --yes`);
  expect(erased.stdout).toContain('Removed from the table: 1\n');
  expect(erased.code).toBe(0);
});

test('the life of a configuration, a command after the other', async () => {
  await service.putConfig({ clientId: 'calzone', appIds: ['key'], fields: [], lastFieldId: 0 });
  const file = join(service.folder, 'calzone.yaml');
  const stale = join(service.folder, 'stale.yaml');
  expect(await customerData(`config pull calzone ${file}`)).toEqual({
    ...{ code: 0, stdout: '', stderr: '' },
  });
  const [, base] = /^(base: .*\n)/m.exec(await readFile(file, 'utf8')) ?? [];
  const edited = PIZZA.replace('clientId: pizza\n', `clientId: calzone\n${base}`);
  await writeFile(file, edited);
  await writeFile(stale, edited.replace('Car', 'Boat'));
  expect(await run('customer-data', ['config', 'check', file])).toEqual({
    ...{ code: 0, stdout: '', stderr: '0 errors, 0 pieces of advice.\n' },
  });
  const differing = await customerData(`config diff calzone ${file}`);
  expect({ ...differing, stdout: '' }).toEqual({ code: 1, stdout: '', stderr: '' });
  expect(differing.stdout).toContain('Favourite pizza');

  const publish = (from: string, options: string) =>
    customerData(`config publish calzone ${from} -m Menu ${options}`);
  const unanswered = await publish(file, '--json');
  expect(unanswered).toMatchObject({ code: 2, stdout: '' });
  expect(unanswered.stderr).toMatch(/^Nothing was changed: there is no terminal .*\n$/);
  const published = await publish(file, '--yes');
  expect(published).toMatchObject({ code: 0, stdout: 'calzone@2\n' });
  expect(published.stderr).toContain('Favourite pizza');
  const conflict = await publish(stale, '--yes');
  expect(conflict).toMatchObject({ code: 3, stdout: '' });
  expect(conflict.stderr).toContain('calzone@2');

  const [history, empty, equal, preview] = await Promise.all(
    [
      'config history calzone',
      'config show calzone@1',
      'config diff calzone@2 calzone@2',
      'preview calzone',
    ].map(customerData),
  );
  expect(history).toMatchObject({ code: 0, stderr: '' });
  expect(history?.stdout).toMatch(/^VERSION .*\ncalzone@2 .* Menu\ncalzone@1 .*\n$/);
  expect(empty).toMatchObject({ code: 0, stderr: '' });
  expect(empty?.stdout).toMatch(/^clientId: calzone\n.*fields: \[\]\n$/s);
  expect(equal).toEqual({ code: 0, stdout: '', stderr: 'The configurations are equal.\n' });
  expect(preview).toMatchObject({ code: 0, stderr: '' });
  expect(preview?.stdout).toContain('Favourite pizza');
  expect(await customerData('config rollback calzone@1 -m Undo --yes')).toMatchObject({
    ...{ code: 0, stdout: 'calzone@3\n' },
  });
});

test('a command on a configuration fails with the exit code for the reason', async () => {
  const broken = join(service.folder, 'broken.yaml');
  await writeFile(broken, PIZZA.replace('fieldType: drop', 'fieldType: drip'));
  const unreachable = join(service.folder, 'unreachable.json');
  const outputs = { ...service.outputs, DynamoDbEndpoint: 'http://127.0.0.1:1' };
  await writeFile(unreachable, JSON.stringify({ 'CustomerDataApi-dev': outputs }));
  const [problems, missing, usage, aws, other] = await Promise.all([
    run('customer-data', ['config', 'check', broken]),
    customerData('config show demo@99'),
    customerData('config rollback demo -m Undo'),
    run('customer-data', ['config', 'pull', 'demo', '--outputs', unreachable]),
    run('customer-data', ['preview', 'demo', broken]),
  ]);
  expect(problems).toMatchObject({ code: 1, stderr: '1 error, 0 pieces of advice.\n' });
  expect(problems?.stdout).toMatch(/broken\.yaml:5:5 error: fields\[0\]\.fieldType/);
  expect(missing).toMatchObject({ code: 1, stdout: '' });
  expect(missing?.stderr).toMatch(/^.*demo@99.*\n$/);
  expect(usage).toMatchObject({ code: 2, stdout: '' });
  expect(usage?.stderr).toContain('ID@N');
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other?.stderr).toMatch(/is the configuration of pizza, not of demo\. /);
  expect(aws).toMatchObject({ code: 4, stdout: '' });
  expect(aws?.stderr).toMatch(/^dynamodb:GetItem on [^\n]+\n$/);
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
      // A person's terminal shows colours. Continuous integration and NO_COLOR say in the environment that theirs does not.
      const { PATH, HOME } = process.env;
      const child = execFile(
        'python3',
        ['-c', spawn, 'sh', '-c', line],
        { cwd: PROJECT, env: { PATH, HOME, TERM: 'xterm-256color' } },
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

  test.each([80, 200])('of %d columns, a configuration is published', async (columns) => {
    const clientId = `menu-${columns}`;
    await service.putConfig({ clientId, appIds: ['key'], fields: [], lastFieldId: 0 });
    const file = join(service.folder, `${clientId}.yaml`);
    await writeFile(file, PIZZA.replace('clientId: pizza', `clientId: ${clientId}`));
    const words = `config publish ${clientId} '${file}' -m 'The first menu'`;
    const declined = await onTerminal(words, 'n\n', columns);
    expect(declined.code).toBe(1);
    expect(declined.stdout).toContain('Nothing was published.');
    const published = await onTerminal(words, 'y\n', columns);
    expect(published.code).toBe(0);
    expect(published.stdout).toContain(`Publish this for ${clientId}? [y/N]`);
    expect(published.stdout).toContain('Waiting for the version: 0 s');
    expect(published.stdout.endsWith(`\r\x1b[K${clientId}@2\r\n`)).toBe(true);
    const history = await onTerminal(`config history ${clientId}`, '', columns);
    expect(history.code).toBe(0);
    expect(history.stdout).toMatch(/The first menu\r\n/);
  });

  test('what a command shows fits into 80 and 200 columns, and is what it prints into a pipe', async () => {
    for (const [lastFieldId, key] of ['first', 'second'].entries()) {
      const own = { appIds: [`${key}-key`], userPoolClientIds: [`${key}-app-client`.repeat(3)] };
      await service.putConfig({ clientId: 'harmed', ...own, fields: [], lastFieldId });
    }
    await vi.waitFor(async () => {
      expect((await inProcess('config show harmed@2')).code).toBe(0);
    }, 10_000);
    const shown = (text: string) => stripVTControlCharacters(text).replaceAll('\r', '');
    for (const words of [
      ...['clients list', 'clients show harmed', 'keys list harmed', 'doctor', 'preview demo'],
      ...['config pull demo', 'config history harmed', 'config show harmed@2'],
      ...['config diff harmed@1 harmed@2', 'promo list demo', 'queue show'],
    ]) {
      const piped = await inProcess(words);
      const both = [80, 200].map(async (columns) => {
        const { code, stdout } = await onTerminal(words, '', columns);
        expect({ words, code }).toEqual({ words, code: piped.code });
        // Another test has made clients whose ids are longer than a line.
        const lines = shown(stdout).split('\n');
        for (const line of lines.filter((one) => !/^\d+-x{240}/.test(one))) {
          expect(line.length, `${words}: ${line}`).toBeLessThanOrEqual(columns);
        }
        const blank = (text: string) => text.replaceAll(/\s+/g, '');
        const { stdout: data, stderr: notes } = piped;
        expect([data + notes, notes + data].map(blank)).toContain(blank(shown(stdout)));
      });
      await Promise.all(both);
    }
  });
});

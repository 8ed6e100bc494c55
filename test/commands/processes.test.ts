import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PIZZA } from '../support/configurations.ts';
import { type Finished, PROJECT, run, runInShell } from '../support/processes.ts';
import { LACKS_TERMINAL, runOnTerminal } from '../support/pseudo-terminal.ts';
import { type Service, startService } from '../support/service.ts';

/* What only a process shows, besides what `every-command.test.ts` runs. */

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

function customerData(words: string): Promise<Finished> {
  return run('customer-data', [...words.split(' '), '--outputs', service.outputsFile]);
}

test('a command fails with the exit code for the reason', async () => {
  const broken = join(service.folder, 'broken.yaml');
  await writeFile(broken, PIZZA.replace('fieldType: drop', 'fieldType: drip'));
  const unreachable = join(service.folder, 'unreachable.json');
  const outputs = { ...service.outputs, DynamoDbEndpoint: 'http://127.0.0.1:1' };
  await writeFile(unreachable, JSON.stringify({ 'CustomerDataApi-dev': outputs }));
  const [problems, missing, usage, conflict, aws, other] = await Promise.all([
    run('customer-data', ['config', 'check', broken]),
    customerData('config show demo@99'),
    customerData('config rollback demo -m Undo'),
    customerData('clients create demo'),
    run('customer-data', ['config', 'pull', 'demo', '--outputs', unreachable]),
    run('customer-data', ['preview', 'demo', broken]),
  ]);
  expect(problems).toMatchObject({ code: 1, stderr: '1 error, 0 warnings.\n' });
  expect(problems?.stdout).toMatch(/broken\.yaml:5:5 error: fields\[0\]\.fieldType/);
  expect(missing).toMatchObject({ code: 1, stdout: '' });
  expect(missing?.stderr).toMatch(/^.*demo@99.*\n$/);
  expect(usage).toMatchObject({ code: 2, stdout: '' });
  expect(usage?.stderr).toContain('ID@N');
  expect(conflict).toMatchObject({ code: 3, stdout: '' });
  expect(conflict?.stderr).toMatch(/^There is a client demo already\.[^\n]*\n$/);
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

test('a command whose reader has gone does its work, and says no more', async () => {
  const command = `node bin/customer-data.ts keys add acme --outputs '${service.outputsFile}'`;
  const file = join(service.folder, 'messages.txt');
  await runInShell(`(${command} 2> '${file}'; echo "exit code $?" >> '${file}') | true`);
  expect(await readFile(file, 'utf8')).toMatch(
    /^Added the key \w{8} to the client acme in .*\nThis is the App-Id\. .*\nexit code 0\n$/,
  );
  expect((await customerData('keys list acme')).stdout.trim().split('\n')).toHaveLength(2);
});

describe.skipIf(LACKS_TERMINAL)('on a terminal', () => {
  const onTerminal = (words: string, typed?: string, env?: NodeJS.ProcessEnv) =>
    runOnTerminal([...words.split(' '), '--outputs', service.outputsFile], {
      ...{ columns: 80, typed, ...(env && { env }) },
    });

  test('a command that asks takes no for an answer', async () => {
    const { code, stdout } = await onTerminal('clients remove demo', 'no\n');
    expect(code).toBe(1);
    expect(stdout).toContain('Type demo to confirm: ');
    expect(stdout).toMatch(/Nothing was changed\.\r\n$/);
    expect((await customerData('clients show demo')).code).toBe(0);
  });

  test('colours are shown, unless NO_COLOR forbids them', async () => {
    await service.putConfig({ clientId: 'locked', appIds: [], fields: [], lastFieldId: 0 });
    const commands = ['clients list', 'clients show locked', 'doctor'];
    for (const words of commands) {
      const [coloured, plain] = await Promise.all([
        onTerminal(words),
        onTerminal(words, undefined, { NO_COLOR: '1' }),
      ]);
      expect(coloured.stdout, words).toContain('\x1b[31m');
      expect(plain.stdout, words).toContain('admits nobody');
      // The bar of a command that takes long is no colour.
      expect(plain.stdout.replaceAll('\x1b[K', ''), words).not.toContain('\x1b');
    }
  });
});

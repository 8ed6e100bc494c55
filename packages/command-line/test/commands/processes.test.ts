import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { itemsIn } from 'customer-data-api/testing/items-in';
import { fileOf, PROJECT, runInShell } from 'customer-data-api/testing/processes';
import { type Service, startService } from 'customer-data-api/testing/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LACKS_TERMINAL, runOnTerminal } from '../support/pseudo-terminal.ts';

/* `customer-data` as a process: what the transcripts, which run it in theirs, cannot show. */

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const target = () => ['--outputs', service.outputsFile];
const clients = async () => {
  const { ConfigsTableName: TableName } = service.outputs;
  const items = await itemsIn(TableName, service.documentClient);
  return items.map(({ clientId }) => clientId).sort();
};

test('the reader of a list may end before the list does', async () => {
  for (let number = 0; number < 300; number++) {
    const clientId = `${number}-${'x'.repeat(240)}`;
    await service.putConfig({ clientId, fields: [], lastFieldId: 0 });
  }
  const code = join(service.folder, 'code.txt');
  const command = `'${PROJECT}customer-data' clients list ${target().join(' ')}`;
  // From any folder.
  const shown = await runInShell(`cd /; (${command}; echo "$?" > '${code}') | head -n 1`);
  expect(shown.trimEnd().split('\n')).toHaveLength(1);
  expect(await readFile(code, 'utf8')).toBe('0\n');
});

/** Runs a script, and returns its exit code and the lines that it wrote to the standard error. */
async function redirected([program = '', ...words]: string[], to: string, limit = '') {
  const files = {
    code: join(service.folder, 'code.txt'),
    notes: join(service.folder, 'notes.txt'),
  };
  const script = `${limit} node ${fileOf(program)} ${words.join(' ')} 2> '${files.notes}'`;
  const [output, reader] = to.startsWith('|') ? ['', to] : [`> ${to}`, ''];
  await runInShell(`(${script} ${output}; echo "$?" > '${files.code}') ${reader}`);
  const [code, notes] = [await readFile(files.code, 'utf8'), await readFile(files.notes, 'utf8')];
  return { code: Number(code), lines: notes.split('\n').filter(Boolean) };
}

const PLACES = [
  ...(existsSync('/dev/full') ? ([['/dev/full', 1]] as const) : []),
  ['| true', 0],
] as const;

test.each(PLACES)('output to %s ends with exit code %i, in as many lines', async (to, expected) => {
  for (const words of [
    ['token', '--folder', service.folder],
    ['customer-data', '--help'],
    ['customer-data', 'config', 'history', '--help'],
    ['customer-data', 'clients', 'list', ...target()],
  ]) {
    const { code, lines } = await redirected(words, to);
    expect([words, code, lines.length], String(lines)).toEqual([words, expected, expected]);
  }
});

test('output of which a disk takes only the start is a failure', async () => {
  const file = join(service.folder, 'cut.txt');
  expect(await redirected(['customer-data', '--help'], `'${file}'`, 'ulimit -f 1;')).toMatchObject({
    code: 1,
  });
});

test.each(PLACES)('an App-Id that %s loses can be replaced and revoked', async (to, expected) => {
  for (const words of ['keys add acme', 'keys add acme --json', `clients create new-${expected}`]) {
    const { code, lines } = await redirected(
      ['customer-data', ...words.split(' '), ...target()],
      to,
    );
    expect(code, words).toBe(expected);
    const suggestions = lines.flatMap((line) => /\.\/customer-data .*$/.exec(line) ?? []);
    expect(suggestions).toHaveLength(2);
    for (const suggestion of suggestions) {
      await runInShell(`${suggestion}${suggestion.includes('revoke') ? ' --yes' : ''}`);
    }
  }
});

test.each([
  ['a signal ends it', (child) => child.kill('SIGTERM'), 143],
  ['its reader goes', ({ stdout }) => stdout.destroy(), 1],
] as const satisfies [
  string,
  (child: ChildProcessByStdio<null, Readable, null>) => void,
  number,
][])('smoke keeps nothing that it created when %s', async (_, end, code) => {
  const before = await clients();
  const args = ['packages/command-line/customer-data.ts', 'smoke', ...target()];
  const child = spawn(process.execPath, args, {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout.resume();
  // By then a client and a promo event exist. This request has no response yet, so smoke cannot end
  // by itself.
  const onRequest = ({ url }: IncomingMessage) => url === '/nothing' && end(child);
  service.servers.gateway.prependListener('request', onRequest);
  expect(await once(child, 'exit')).toEqual([code, null]);
  service.servers.gateway.off('request', onRequest);
  expect(await clients()).toEqual(before);
});

test.skipIf(LACKS_TERMINAL)(
  'on a real terminal, a command asks, takes no for an answer, and shows colours',
  async () => {
    const onTerminal = (words: string, typed?: string) =>
      runOnTerminal([...words.split(' '), ...target()], typed);
    const { code, stdout } = await onTerminal('clients remove demo', 'no\n');
    expect({ code, isAsked: stdout.includes('demo') }).toEqual({ code: 1, isAsked: true });
    expect(await clients()).toContain('demo');
    await service.putConfig({ clientId: 'locked', appIds: [], fields: [], lastFieldId: 0 });
    expect((await onTerminal('clients show locked')).stdout).toContain('\x1b[31m');
  },
);

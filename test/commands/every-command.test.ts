import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { customerDataCommand } from '../../cli/command-line.ts';
import { Messages } from '../../cli/queue-messages.ts';
import { keyDigest } from '../../core/clients/key-digest.ts';
import { customerData } from '../support/command-line.ts';
import { PIZZA } from '../support/configurations.ts';
import { pipeDeadLetter } from '../support/pipe-dead-letter.ts';
import { run } from '../support/processes.ts';
import { eventOf } from '../support/promo-event.ts';
import { LACKS_TERMINAL, runOnTerminal } from '../support/pseudo-terminal.ts';
import { PROMO_REQUEST, type Service, startService } from '../support/service.ts';

/*
 * Every command as a process: arguments in, output and exit code out, in a pipe and on terminals of 80 and 200 columns. A command
 * without a row fails the first test.
 */

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.applyPromoCode({ body: PROMO_REQUEST });
  // Somebody made it worse by hand: the history has a finding to show.
  for (const [lastFieldId, key] of ['first', 'second'].entries()) {
    const own = { appIds: [`${key}-key`], userPoolClientIds: [`${key}-app-client`.repeat(3)] };
    await service.putConfig({ clientId: 'harmed', ...own, fields: [], lastFieldId });
  }
  await writeFile(
    join(service.folder, 'wrong.yaml'),
    PIZZA.replace('fieldType: drop', 'fieldType: drip'),
  );
  await vi.waitFor(async () => {
    expect((await customerData(withTarget(['config', 'show', 'harmed@2']))).code).toBe(0);
  }, 10_000);
});
afterAll(() => service.stop());

/** Who runs a command that changes something: each changes a client of their own. */
interface Operator {
  readonly id: string;
  /** The App-Id of the client, once it is created. */
  appId: string;
}

/** A command that reads. It is run at the same time in a pipe and on both terminals, which show the same. */
interface Reading {
  readonly args: (service: Service) => readonly string[];
  readonly code?: number;
  /** What it prints into a pipe. */
  readonly data: RegExp;
  /** What it says beside it; nothing by default. */
  readonly notes?: RegExp;
}

/** A command that changes something. It is run in a pipe and on both terminals, one after the other. */
interface Writing {
  /** Makes what it changes. */
  readonly prepare?: (service: Service, operator: Operator) => Promise<unknown>;
  readonly args: (service: Service, operator: Operator) => readonly string[];
  /** What somebody types on a terminal; in a pipe, the option `--yes` answers. Undefined if it does not ask. */
  readonly answer?: (operator: Operator) => string;
  /** What it prints on the standard output. */
  readonly data: RegExp;
  /** What it says beside it. */
  readonly notes: RegExp;
  /** What a terminal shows for a moment, while the command works. */
  readonly progress?: RegExp;
  readonly check?: (operator: Operator, output: string) => void;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\n/m;
const NOTHING = /^$/;

const READING: Readonly<Record<string, Reading>> = {
  'clients list': { args: () => [], data: /^demo +4 fields +1 key$/m },
  'clients show': { args: () => ['harmed'], data: /^Client harmed\n {2}keys +[0-9a-f]{8}\n/ },
  'keys list': { args: () => ['harmed'], data: /^[0-9a-f]{8}\n$/ },
  'config pull': { args: () => ['demo'], data: /^clientId: demo\nbase: \w{64}\n/ },
  'config check': {
    args: ({ folder }) => [join(folder, 'wrong.yaml')],
    code: 1,
    data: /wrong\.yaml:5:5 error: fields\[0\]\.fieldType: /,
    notes: /^1 error, 0 warnings\.\n$/,
  },
  'config diff': {
    args: () => ['harmed@1', 'harmed@2'],
    code: 1,
    data: /^lastFieldId is 1 instead of 0\.\n/,
  },
  'config history': { args: () => ['harmed'], data: /^VERSION [\s\S]*\nharmed@1 / },
  'config show': { args: () => ['harmed@2'], data: /^clientId: harmed\n/ },
  preview: { args: () => ['demo'], data: /Company/ },
  'promo list': { args: () => ['demo'], data: /^2\S+Z {2}applied +\S+ +\S+\n/ },
  'queue show': {
    args: () => [],
    data: /^In the queue, waiting to be stored: about 0\.\n$/,
    notes: /^The dead-letter queue is empty\.\n$/,
  },
  doctor: {
    args: () => [],
    code: 1,
    data: /^problem +clients +harmed admits nobody: /m,
    notes: /^1 problem, 0 unchecked\.\n$/,
  },
  events: {
    args: ({ folder }) => ['--no-follow', '--folder', folder],
    data: /^\{.*"detail-type":"applied".*\}\n/,
  },
};

/** In an order in which each succeeds: most change the client that the first one creates. */
const WRITING: Readonly<Record<string, Writing>> = {
  'clients create': {
    args: (_, { id }) => [id],
    data: UUID,
    notes: /^Created the client \S+ in the local server\.\nThis is its App-Id\. .*\n/,
    check: (operator, output) => {
      operator.appId = UUID.exec(output)?.[0].trim() ?? '';
    },
  },
  'clients set-app-clients': {
    // Somebody removed the attribute by hand.
    prepare: ({ putConfig }, { id }) => putConfig({ ...withoutFields(`open-${id}`) }),
    args: ({ outputs }, { id }) => [`open-${id}`, outputs.UserPoolClientId],
    answer: () => 'y',
    data: NOTHING,
    notes: /^Set the app clients of the client open-\S+ in the local server\.$/m,
  },
  'keys add': {
    args: (_, { id }) => [id],
    data: UUID,
    notes: /^Added the key \w{8} to the client /,
  },
  'keys revoke': {
    args: (_, { id, appId }) => [id, keyDigest(appId)],
    answer: () => 'y',
    data: NOTHING,
    progress: /Searching the logs for uses of the key: 0 s/,
    notes: /^The key \w{8} stays\.\n[\s\S]*Revoked the key \w{8} of the client /m,
  },
  'config publish': {
    prepare: ({ folder }, { id }) =>
      writeFile(join(folder, `${id}.yaml`), PIZZA.replace('clientId: pizza', `clientId: ${id}`)),
    args: ({ folder }, { id }) => [id, join(folder, `${id}.yaml`), '-m', 'The first menu'],
    answer: () => 'y',
    data: /^\S+@\d+\n$/m,
    progress: /Waiting for the version: 0 s/,
    notes: /^Favourite pizza is added as number 1: drop, optional\.$/m,
  },
  'config rollback': {
    args: (_, { id }) => [`${id}@1`, '-m', 'Undo'],
    // All fields are removed.
    answer: ({ id }) => id,
    data: /^\S+@\d+\n$/m,
    progress: /Waiting for the version: 0 s/,
    notes: /^Favourite pizza is removed/m,
  },
  'queue redrive': {
    prepare: ({ outputs }) =>
      send(outputs.PromoEventsDeadLetterQueueUrl, JSON.stringify(eventOf('joe'))),
    args: () => [],
    answer: () => 'y',
    progress: /Dead letters read: 1/,
    data: /^Promo events moved back from the dead-letter queue: 1\n {7}1 {2}demo, received /m,
    notes: NOTHING,
  },
  'queue replay': {
    prepare: async ({ outputs }) =>
      send(outputs.PromoEventsBusDeadLetterQueueUrl, await pipeDeadLetter(outputs, 1, 1)),
    args: () => [],
    answer: () => 'y',
    progress: /Dead letters read: 1/,
    data: /^Dead letters: 1\. Events published: 1\n/m,
    notes: NOTHING,
  },
  'user erase': {
    prepare: ({ applyPromoCode }, { id: userId }) =>
      applyPromoCode({ token: { user: userId }, body: { ...PROMO_REQUEST, userId } }),
    args: (_, { id }) => ['--client', 'demo', '--user', id],
    answer: () => 'y',
    progress: /Items removed: \[#{20}\] 1 of 1/,
    data: /^Removed from the queue: 0\n.*: 0\nRemoved from the table: 1\n/m,
    notes: /^Promo events of the user \S+ of the client demo:\n/m,
  },
  'clients remove': {
    args: (_, { id }) => [id],
    answer: ({ id }) => id,
    data: NOTHING,
    notes: /^Removed the client \S+ from the local server\.$/m,
  },
  smoke: {
    args: () => [],
    data: /^passed +\d+ ms {2}\/customerData\/getConfig returns the fields of the client$/m,
    notes: /^\d+ passed, 0 failed$/m,
  },
};

const COLUMNS = [80, 200] as const;
/** The operators who run the commands that write: one in a pipe, and one on a terminal of each width. */
const OPERATORS: readonly Operator[] = ['pipe', ...COLUMNS].map((name) => ({
  ...{ id: `pizza-${name}`, appId: '' },
}));

test('every command has a row here', () => {
  const wordsOf = (command: Command): string[] =>
    command.commands.length === 0
      ? [command.name()]
      : command.commands.flatMap((one) =>
          wordsOf(one).map((words) => `${command.name()} ${words}`),
        );
  const commands = customerDataCommand(process).commands.flatMap(wordsOf);
  expect([...Object.keys(READING), ...Object.keys(WRITING)].sort()).toEqual(commands.sort());
});

describe.each(Object.entries(READING))('customer-data %s', (name, row) => {
  const argsOf = () => withTarget([...name.split(' '), ...row.args(service)]);

  test('prints its data into a pipe, and shows the same on terminals, in their width', async () => {
    const [piped, ...shown] = await Promise.all([
      run('customer-data', argsOf()),
      ...(LACKS_TERMINAL ? [] : COLUMNS.map((columns) => runOnTerminal(argsOf(), { columns }))),
    ]);
    expect(piped).toEqual({
      code: row.code ?? 0,
      stdout: expect.stringMatching(row.data),
      stderr: expect.stringMatching(row.notes ?? NOTHING),
    });
    expect(piped.stdout).not.toContain('\x1b');
    for (const [index, { code, stdout }] of shown.entries()) {
      expect(code).toBe(piped.code);
      const text = onScreen(stdout);
      // Programs read JSON, and editors the position in a file at the start of a line: these lines are not broken.
      for (const line of text.split('\n').filter((one) => !/^\{|^\S+:\d+:\d+ /.test(one))) {
        expect(line.length, line).toBeLessThanOrEqual(COLUMNS[index] ?? 0);
      }
      // The two outputs may be shown in either order.
      const both = [piped.stdout + piped.stderr, piped.stderr + piped.stdout];
      expect(both.map(withoutSpace)).toContain(withoutSpace(text));
    }
  });

  test('prints a JSON document per line with --json', async () => {
    const { code, stdout } = await customerData([...argsOf(), '--json']);
    expect(code).toBe(row.code ?? 0);
    const documents = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const document of documents) expect(document).toEqual(expect.any(Object));
  });
});

describe.each(Object.entries(WRITING))('customer-data %s', (name, row) => {
  const argsOf = (operator: Operator) =>
    withTarget([...name.split(' '), ...row.args(service, operator)]);
  const [inPipe = { id: '', appId: '' }, ...atTerminals] = OPERATORS;

  test('changes nothing with --dry-run, and without an answer', async () => {
    await row.prepare?.(service, inPipe);
    const before = await everything();
    const dry = await customerData([...argsOf(inPipe), '--dry-run']);
    expect(dry.code).toBe(0);
    expect(dry.stdout + dry.stderr).not.toBe('');
    if (row.answer) {
      const unanswered = await customerData(argsOf(inPipe));
      expect(unanswered).toEqual({
        ...{ code: 2, stdout: '' },
        stderr: expect.stringMatching(/^Nothing was changed: there is no terminal[^\n]*\n$/),
      });
    }
    expect(await everything()).toEqual(before);
  });

  test('prints its data into a pipe, and everything else beside it', async () => {
    const { code, stdout, stderr } = await run('customer-data', [
      ...argsOf(inPipe),
      ...(row.answer ? ['--yes'] : []),
    ]);
    expect(stdout).toMatch(row.data);
    expect(stderr).toMatch(row.notes);
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain('\x1b');
    row.check?.(inPipe, stdout);
  });

  test.skipIf(LACKS_TERMINAL).each(COLUMNS.map((columns, index) => [columns, index] as const))(
    'asks on a terminal of %d columns, and does the same',
    async (columns, index) => {
      const operator = atTerminals[index] as Operator;
      await row.prepare?.(service, operator);
      const typed = row.answer && `${row.answer(operator)}\n`;
      const { code, stdout } = await runOnTerminal(argsOf(operator), { columns, typed });
      if (row.progress) expect(stdout).toMatch(row.progress);
      const text = onScreen(stdout);
      if (row.progress) expect(text).not.toMatch(row.progress);
      expect(text).toMatch(row.data === NOTHING ? row.notes : row.data);
      expect(text).toMatch(row.notes === NOTHING ? row.data : row.notes);
      if (row.answer) expect(text).toMatch(/Local server: .*(\[y\/N\]|Type \S+ to confirm:) /);
      expect(code).toBe(0);
      row.check?.(operator, text);
    },
  );
});

/** Names the local server, where a command takes that. */
function withTarget(args: readonly string[]): string[] {
  const isOffline = args[0] === 'events' || args.slice(0, 2).join(' ') === 'config check';
  return isOffline ? [...args] : [...args, '--outputs', service.outputsFile];
}

/** A client without app clients, as somebody may put it. */
function withoutFields(clientId: string) {
  return { clientId, appIds: ['key'], fields: [], lastFieldId: 0 };
}

async function send(QueueUrl: string, MessageBody: string): Promise<void> {
  await service.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
}

/** All that commands can change, once nothing is on its way. */
async function everything() {
  await vi.waitUntil(async () => (await service.messages()).queue === 0, 60_000);
  const { ConfigsTableName, PromoEventsTableName, PromoEventsBusDeadLetterQueueUrl } =
    service.outputs;
  const tables = [ConfigsTableName, PromoEventsTableName].map(async (TableName) => {
    const { Items } = await service.documentClient.send(new ScanCommand({ TableName }));
    return Items;
  });
  return {
    tables: await Promise.all(tables),
    queues: await service.messages(),
    busDeadLetters: await new Messages(service.sqs, PromoEventsBusDeadLetterQueueUrl).count(),
    events: await readFile(join(service.folder, 'events.jsonl'), 'utf8'),
  };
}

/** What a terminal shows in the end: what was drawn in a line and removed is gone. */
function onScreen(output: string): string {
  const lines = output.split('\r\n').map((line) => line.split('\r\x1b[K').at(-1) ?? '');
  return stripVTControlCharacters(lines.join('\n'));
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { fingerprintOf } from 'customer-data-api/clients';
import {
  type Answers,
  describedStack,
  type Input,
  type PassOn,
  startAws,
} from 'customer-data-api/testing/aws';
import { newFolder } from 'customer-data-api/testing/new-folder';
import { PROJECT } from 'customer-data-api/testing/processes';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import { expect, onTestFailed, test, vi } from 'vitest';
import { runCommandLine } from '../../../command-line.ts';
import { customerData } from '../command-line.ts';
import { normal } from './normal.ts';
import { checkEnded, checkPermissions, checkStaysLocal, watchLeftovers } from './rules.ts';
import { Screen } from './screen.ts';
import { changesAreRecorded, newService, type ServiceSetting, stateOf } from './shared-service.ts';

/* Where an operator sits: a terminal, a folder, a local server and a deployment in AWS. */

const TRANSCRIPTS = fileURLToPath(new URL('../../transcripts', import.meta.url));
/** The deployment in production: the tables and queues of the local server, in a stack. */
export const STACK = 'CustomerDataApi-prod';
export const OPERATOR = 'arn:aws:iam::123456789012:user/jane';
/** The width of the terminal. */
const COLUMNS = 80;
export const CTRL_C = '\x03';

/** The start of a scenario. */
export interface Setting extends ServiceSetting {
  /** Replaces outputs that the commands read. */
  readonly outputs?: Partial<Outputs>;
}

/** The answers that a person types to questions; a function can do something else before that. */
export type Typed = string | (() => Promise<string>);

/** Returns the output of a command, without colours, and without what it removed again. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Plays a scenario of the command line, and compares what a person sees with its file in
 * `packages/command-line/test/transcripts`. Every command is also held against the rules that all
 * commands follow.
 */
export function scenario(
  name: string,
  title: string,
  play: (desk: Desk) => Promise<void>,
  setting: Setting = {},
): void {
  test(`${name}: ${title}`, async () => {
    await using desk = await openDesk(title, setting);
    onTestFailed(() => void process.stdout.write(desk.transcript()));
    await play(desk);
    await expect(desk.transcript()).toMatchFileSnapshot(join(TRANSCRIPTS, `${name}.txt`));
  });
}

export type Desk = Awaited<ReturnType<typeof openDesk>>;

async function openDesk(title: string, setting: Setting) {
  const start = Date.now();
  const service = await newService(setting);
  const state = () => stateOf(service);
  const recorded = async () => {
    if (setting.records) await changesAreRecorded(service);
  };
  const { database, queues, events } = service.servers;
  const aws = await startAws({ DynamoDB: database, AmazonSQS: queues, AWSEvents: events });
  const endpoints = {
    DynamoDbEndpoint: aws.endpoint,
    SqsEndpoint: aws.endpoint,
    EventBridgeEndpoint: aws.endpoint,
  };
  const outputs: Outputs = { ...service.outputs, ...endpoints, ...setting.outputs };
  const { JwksUri: _, ...inAws } = { ...outputs, RetainsData: 'true', ...setting.outputs };
  const { path: folder, remove } = await newFolder();
  await mkdir(join(folder, '.local'));
  for (const file of ['events.jsonl', 'signing-key.json']) {
    await symlink(join(service.folder, file), join(folder, '.local', file));
  }
  await writeOutputs(outputs);
  for (const name of Object.keys(process.env)) {
    if (/^AWS_|^(NO|FORCE)_COLOR$|^CI$/.test(name)) vi.stubEnv(name, undefined);
  }
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
  process.chdir(folder);

  const lines = [`# ${title}`];
  let isDisturbed = false;
  const note = (text: string) => {
    screen?.flush();
    isDisturbed = true;
    if (lines.at(-1)?.startsWith('[exit')) lines.push('');
    lines.push(`# ${text}`);
  };
  let screen: Screen | undefined;

  async function writeOutputs(values: object): Promise<void> {
    const text = JSON.stringify({ 'CustomerDataApi-dev': values });
    await writeFile(join(folder, '.local/outputs.json'), text);
  }

  /** The bodies of the messages that commands have received, by their receipts. */
  const received = new Map<unknown, string>();
  /**
   * Receives messages without a wait: the embedded SQS has one server, so it has asked all of them.
   */
  const receive = async (input: Input, passOn: PassOn) => {
    const answer = Object(await passOn({ ...input, WaitTimeSeconds: 0 }));
    for (const { ReceiptHandle, Body } of answer.Messages ?? []) received.set(ReceiptHandle, Body);
    return answer;
  };
  const answer = (answers: Answers = {}) =>
    aws.answer({
      ReceiveMessage: receive,
      DescribeStacks: ({ StackName }) =>
        StackName === STACK
          ? describedStack(STACK, inAws)
          : { __type: 'ValidationError', message: `Stack with id ${StackName} does not exist` },
      GetCallerIdentity: `<Arn>${OPERATOR}</Arn>`,
      StartQuery: { queryId: 'query' },
      GetQueryResults: { status: 'Complete', results: [] },
      ...answers,
    });
  answer();

  /**
   * Runs a command as it would be typed into a shell: `| cat` makes its output a pipe, whose reader
   * leaves with `| head -1`; `2>&1` its messages too, and `<` its input a file.
   *
   * @param typed what the person at the terminal types when asked.
   */
  async function run(line: string, typed?: Typed): Promise<Finished> {
    lines.push('', `$ ./customer-data ${line}`);
    const finished = await execute(line, typed, (shown) => lines.push(shown));
    lines.push(`[exit ${finished.code}]`);
    return finished;
  }

  async function execute(
    line: string,
    typed: Typed | undefined,
    print: (line: string) => void,
  ): Promise<Finished> {
    const [command = '', ...pipe] = line.split(/ (?=\||2>&1|< )/);
    const words = wordsOf(command);
    const file = pipe.find((part) => part.startsWith('<'))?.slice(2);
    screen = new Screen(print);
    const stdout = screen.open(
      '',
      pipe.some((part) => part.startsWith('|')) ? undefined : COLUMNS,
      pipe.includes('| head -1') ? 1 : undefined,
    );
    const stderr = screen.open('2> ', pipe.includes('2>&1') ? undefined : COLUMNS);
    const asked: string[] = [];
    const keyboard = Readable.from(onceAsked(typed, asked));
    const stdin =
      file === undefined
        ? Object.assign(keyboard, { isTTY: true })
        : Readable.from([file === '/dev/null' ? '' : await readFile(file, 'utf8')]);
    const before = await state();
    isDisturbed = false;
    aws.calls.length = 0;
    const expectNothingLeft = watchLeftovers(aws);
    const returned = await runCommandLine(words, { stdin, stdout, stderr });
    const code = Number(process.exitCode ?? returned);
    if (aws.calls.some(({ operation }) => /^(?:Put|Update|Delete)Item$/.test(operation)))
      await recorded();
    process.exitCode = undefined;
    screen.flush();
    screen = undefined;
    const [, wanted] = /Type (.+) to confirm:/.exec(stderr.raw()) ?? [];
    const isDeclined =
      asked.length > 0 && (wanted ? asked[0] !== wanted : !/^y/i.test(asked[0] ?? ''));
    const after = await state();
    const printed = [stdout, stderr].map((one) => ({ raw: one.raw(), columns: one.columns }));
    checkEnded({ words, code, isDeclined, isDisturbed, before, after, outputs: printed });
    checkPermissions(words, aws.calls, outputs);
    if (words.includes('--local')) checkStaysLocal(aws.calls);
    await expectNothingLeft();
    expect(asked.includes('\0'), 'It asks, and nobody answers.').toBe(false);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  }

  return {
    service,
    aws,
    run,
    note,
    /** Runs doctor, of whose results the transcript has the codes, and the messages of a check. */
    doctor: async (options = '--local', shown?: string) => {
      const { code, stdout } = await execute(`doctor ${options} --json | cat`, undefined, () => {});
      const results = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const found = results
        .filter(({ status }) => status !== 'ok')
        .map(({ status, check, code, clientId = '' }) =>
          `${status} ${status === 'unchecked' ? check : code} ${clientId}`.trimEnd(),
        );
      lines.push(`[exit ${code}] doctor ${options}: ${found.join(', ') || 'nothing'}`);
      const messages = results.filter(({ check }) => check === shown);
      lines.push(...messages.map(({ status, message }) => `  ${status}: ${message}`));
    },
    answer,
    writeOutputs,
    outputs,
    receive,
    received,
    /** Runs a command whose output the transcript leaves out. */
    unseen: (line: string) => execute(line, undefined, () => {}),
    /** Runs commands of which the transcript has the exit codes. */
    ends: async (...commands: readonly (string | readonly [line: string, typed: Typed])[]) => {
      for (const command of commands) {
        const [line, typed] = typeof command === 'string' ? [command] : command;
        const { code } = await execute(line, typed, () => {});
        const answer = typeof typed === 'string' ? `, ${JSON.stringify(typed)} is typed` : '';
        lines.push(`[exit ${code}] ./customer-data ${line}${answer}`);
      }
    },
    /** Another operator runs a command meanwhile, which succeeds. */
    meanwhile: async (line: string) => {
      note(`Another operator: ./customer-data ${line}`);
      expect(await customerData(wordsOf(line))).toMatchObject({ code: 0 });
      await recorded();
    },
    /** Replaces the item of a client, as somebody does by hand. */
    put: async (item: Readonly<Record<string, unknown>>) => {
      note(
        `By hand: ${JSON.stringify(item, (_name, value) => (value instanceof Set ? [...value] : value))}`,
      );
      await service.putConfig(item);
      await recorded();
    },
    /** Deletes the item of a client, as somebody does in the console. */
    remove: async (clientId: string) => {
      note(`By hand: the item ${clientId} is deleted.`);
      const TableName = service.outputs.ConfigsTableName;
      await service.documentClient.send(new DeleteCommand({ TableName, Key: { clientId } }));
      await recorded();
    },
    /** The item of a client as it is stored; undefined if there is none. */
    item: async (clientId: string) =>
      (await state()).clients.find((item) => item.clientId === clientId),
    /** Checks how the service answers the app of a client, and returns the response. */
    serves: async (clientId: string, appId: string, status = 200) => {
      const headers = { 'App-Id': appId };
      const response = await service.getConfig({ body: { clientId }, headers });
      expect(response.status).toBe(status);
      note(`An app of ${clientId} with the key ${fingerprintOf(appId)} gets ${status}.`);
      return response.body;
    },
    /** Writes a file in the folder of the operator. */
    write: (file: string, text: string) => writeFile(file, text),
    read: (file: string) => readFile(file, 'utf8'),
    /** Replaces a text in a file. */
    edit: async (file: string, from: string, to: string) => {
      const text = await readFile(file, 'utf8');
      expect(text).toContain(from);
      note(`In ${file}, ${JSON.stringify(from)} becomes ${JSON.stringify(to)}.`);
      await writeFile(
        file,
        text.replace(from, () => to),
      );
    },
    /** Removes the rest of a file. */
    cut: async (file: string, from: string) => {
      const [text = '', ...rest] = (await readFile(file, 'utf8')).split(from);
      expect(rest).not.toEqual([]);
      note(`In ${file}, ${JSON.stringify(from)} is removed, with all that follows.`);
      await writeFile(file, text);
    },
    /** Shows the first lines of a file. */
    head: async (file: string, count: number) => {
      const text = await readFile(file, 'utf8');
      lines.push('', `$ head -${count} ${file}`, ...text.split('\n').slice(0, count));
    },
    state,
    transcript: () => normal(`${lines.join('\n')}\n`, start),
    [Symbol.asyncDispose]: async () => {
      process.chdir(PROJECT);
      vi.unstubAllEnvs();
      await aws.stop();
      await remove();
    },
  };
}

/** The words of a line, of which some may be in quotes. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
}

/** The input that is typed, once the command reads it. Without an answer the input ends. */
async function* onceAsked(typed: Typed | undefined, asked: string[]): AsyncGenerator<string> {
  const text = typeof typed === 'function' ? await typed() : typed;
  asked.push(text ?? '\0');
  if (text !== undefined) yield text === CTRL_C ? text : `${text}\n`;
}

import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { marshall } from '@aws-sdk/util-dynamodb';
import { fingerprintOf } from 'customer-data-api/clients';
import { contentDigest } from 'customer-data-api/history';
import { PROMO_EVENTS_SOURCE } from 'customer-data-api/promo-events';
import { type Answers, lengthOf, startAws } from 'customer-data-api/testing/aws';
import { PIZZA } from 'customer-data-api/testing/configurations';
import { OUTPUTS } from 'customer-data-api/testing/outputs';
import { temporaryFolder } from 'customer-data-api/testing/temporary-folder';
import { EVENTS_FILE } from 'customer-data-api-local';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { customerData } from '../support/command-line.ts';

/*
 * Commands print what anybody may have written into a table, a queue, a file or an error. No
 * terminal may interpret it, and no line of it may look like one of the command.
 */

const aws = await startAws();
const folder = await temporaryFolder();
afterAll(() => aws.stop());
beforeEach(() => {
  vi.stubEnv('NO_COLOR', undefined);
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

/** Follows each hostile sequence, so that it can be told from one that a command draws itself. */
const MARK = '¤';
/** Characters that make a terminal do something, end a line, or show the rest in another order. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const INTERPRETED = /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/;
const all = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));
const marked = (parts: readonly string[]) => parts.map((part) => `${part}${MARK}`).join('');
const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['C0', marked(all(0, 0x1f))],
  ['C1', marked(all(0x7f, 0x9f))],
  ['separators and directions', marked([...all(0x2028, 0x202e), ...all(0x2066, 0x2069)])],
  ['sequences', marked(['\x1b[31m', '\x9b31m', '\r\x1b[K', '"', '\\'])],
  ['a line of its own', marked(['\nFORGED'])],
];

/** Matches what a command draws on a terminal: colours, and a line of progress. */
const DRAWN = new RegExp(`(?:\\r\\x1b\\[K|\\x1b\\[\\d+m)(?!${MARK})`, 'g');

function expectHarmless(output: string, words: string): void {
  expect(
    INTERPRETED.exec(output.replaceAll(DRAWN, '')),
    `${words}: ${JSON.stringify(output)}`,
  ).toBe(null);
  expect(output, words).not.toMatch(/^FORGED/m);
}

const FIELDS = parse(PIZZA).fields;

/** A configuration whose texts are all the same one. */
const configuration = (text: string, more: readonly object[] = []) => ({
  lastFieldId: 3,
  fields: [
    {
      ...FIELDS[0],
      fieldName: text,
      addButtonText: text,
      subFieldA: {
        ...FIELDS[0].subFieldA,
        placeHolderText: text,
        optionsArray: [{ value: text, display: text }],
      },
    },
    ...more,
  ],
});

/** A client that somebody wrote into the table. */
const client = (text: string) => ({
  clientId: text,
  appIds: ['key', 'another-key'],
  userPoolClientIds: [text],
  ...configuration(text, [{ id: text, [text]: text, fieldType: text, subFieldA: { [text]: 1 } }]),
  [text]: 1,
  [`appId${text[0]}`]: [text],
  feilds: [{ [text]: text }],
  appIdLabels: { [fingerprintOf('key')]: { label: text, at: text, by: text } },
  lastChange: { id: 'id', at: text, by: text, message: text },
});

/** A version of a configuration that somebody else published. */
const version = (number: number, text: string) => {
  const { fields, lastFieldId } = configuration(`${number}${text}`);
  return {
    clientId: 'demo',
    version: number,
    at: text,
    source: text,
    by: text,
    message: text,
    digest: contentDigest(marshall({ fields, lastFieldId })),
    problems: 0,
    highestId: 3,
    keys: { appIds: [text], userPoolClientIds: [text] },
    fields,
    lastFieldId,
  };
};

const promoEvent = (text: string) => ({
  clientId: text,
  userId: text,
  promoCode: text,
  kind: text,
  eventType: text,
  source: text,
  deviceId: text,
  requestDate: text,
  receivedAt: text,
});

/** Text in XML. */
const xml = (text: string) => text.replaceAll(/[^a-z]/g, (one) => `&#${one.codePointAt(0)};`);

/** Answers of AWS to the calls of all commands. */
function answersWith(text: string): Answers {
  const messages = (...bodies: string[]) =>
    bodies.map((body, index) => ({
      MessageId: `${index}${text}`,
      ReceiptHandle: 'r',
      Body: body,
      MD5OfBody: hash('md5', body),
    }));
  const event = { ...promoEvent(text), receivedAt: '2026-11-21T23:56:10Z' };
  const letter = {
    source: PROMO_EVENTS_SOURCE,
    detailType: text,
    detail: { clientId: text, eventId: text },
    time: '2026-11-21T23:56:10Z',
    reason: text,
  };
  const failed = { Id: '0', Code: text, Message: text, SenderFault: true };
  const versions = [version(2, text), version(1, text)];
  return {
    GetItem: ({ TableName, Key }) => {
      const { fields, lastFieldId } = versions[0] ?? {};
      const number = Object(Key).version?.N;
      const found = versions.find((one) => String(one.version) === number);
      // As the newest version, apart from what is not its content.
      const live = { clientId: 'live', fields, lastFieldId, [text]: 1 };
      const item = Object(Key).clientId.S === 'live' ? live : client(text);
      return { Item: marshall(TableName === OUTPUTS.ConfigVersionsTableName ? found : item) };
    },
    Scan: ({ TableName }) => ({
      Items: TableName === OUTPUTS.ConfigsTableName ? [marshall(client(text))] : [],
    }),
    Query: ({ TableName }) => ({
      Items: (TableName === OUTPUTS.PromoEventsTableName ? [promoEvent(text)] : versions).map(
        (item) => marshall(item),
      ),
    }),
    GetQueueAttributes: lengthOf(1),
    ReceiveMessage: [
      {
        Messages: messages(
          JSON.stringify(event),
          `${text}\x9b${MARK}`,
          JSON.stringify(letter),
          JSON.stringify({ ...letter, source: text }),
        ),
      },
      {},
    ],
    SendMessageBatch: { Successful: [], Failed: [failed] },
    DeleteMessageBatch: { Successful: [], Failed: [failed] },
    ChangeMessageVisibilityBatch: { Successful: [], Failed: [] },
    PutEvents: { Entries: [{ ErrorCode: text, ErrorMessage: text }], FailedEntryCount: 1 },
    GetCallerIdentity: `<Arn>${xml(text)}</Arn>`,
    UpdateItem: { __type: text, message: text },
    StartQuery: { __type: text, message: text },
  };
}

/** The commands that are run, with a file of each kind: its name is in capitals. */
const COMMANDS = [
  'clients list',
  'clients list --json',
  'clients show demo',
  'clients show demo --json',
  'clients remove demo --dry-run',
  'clients remove demo --yes',
  'clients set-app-clients demo client --dry-run',
  'clients create demo --dry-run',
  'keys list demo',
  'keys add demo --dry-run',
  'keys revoke demo key --dry-run',
  'config show demo',
  'config show demo --json',
  'config show demo@2',
  'config schema demo --screen register',
  'config history demo',
  'config history demo --json',
  'config check FILE',
  'config check FILE --json',
  'config check BROKEN',
  'config check BROKEN --json',
  'config diff demo FILE',
  'config diff demo@1 demo@2',
  'config diff demo@1 demo@2 --json',
  'config diff demo BROKEN',
  'config publish FILE --dry-run',
  'config publish BASED -m m --yes',
  'config publish BASED -m m --merge --dry-run',
  'config publish BROKEN --dry-run',
  'config rollback live@1 --dry-run',
  'config rollback live@1 -m m --yes',
  'promo list demo',
  'promo list demo --json',
  'promo list demo --csv',
  'queue show',
  'queue show --json',
  'queue redrive --yes',
  'queue redrive --yes --json',
  'user erase demo --user jane --dry-run',
  'doctor',
  'user erase demo --user jane --yes',
  'doctor --json',
];

const readsBroken = (words: string) => words.includes('BROKEN');

/** Runs a command, in a pipe or on a terminal that is wide enough for all lines. */
function command(words: string, files: Readonly<Record<string, string>>, isTerminal = false) {
  const target = /^config check/.test(words) ? [] : ['--outputs', files.OUTPUTS ?? ''];
  const args = words.split(' ').map((word) => files[word] ?? word);
  return customerData([...args, ...target], isTerminal ? { columns: 10_000 } : undefined);
}

/** Writes the files that the commands read. */
async function filesWith(text: string) {
  const { lastFieldId, fields } = configuration(text);
  const contents = {
    OUTPUTS: JSON.stringify({
      'CustomerDataApi-prod': { ...OUTPUTS, UserIdClaim: 'none' },
    }),
    FILE: stringify({ clientId: 'live', lastFieldId, fields }),
    BASED: stringify({ clientId: 'live', base: version(1, text).digest, lastFieldId, fields }),
    BROKEN: `clientId: demo\n${text}: [\nfields: *${text}\n`,
  };
  const files: Record<string, string> = { FOLDER: folder };
  await writeFile(join(folder, EVENTS_FILE), `${JSON.stringify(promoEvent(text))}\n`);
  for (const [name, content] of Object.entries(contents)) {
    files[name] = join(folder, name === 'BROKEN' ? `\x1b[31m${MARK}.yaml` : `${name}.yaml`);
    await writeFile(files[name] ?? '', content);
  }
  return files;
}

test.each([
  ['them', TEXTS.map(([, text]) => text).join(''), COMMANDS] as const,
  // A parser stops at the first of them.
  ...TEXTS.map(([name, text]) => [name, text, COMMANDS.filter(readsBroken)] as const),
])('no command lets a terminal interpret %s', async (_, text, commands) => {
  const files = await filesWith(text);
  const answers = answersWith(text);
  const refusals = Object.keys(answers).map((name) => [name, { __type: text, message: text }]);
  for (const given of [answers, Object.fromEntries(refusals)]) {
    for (const words of commands) {
      aws.answer(given);
      const isForPrograms = /--(?:json|csv)/.test(words);
      const { stdout, stderr } = await command(words, files, !isForPrograms);
      expectHarmless(stdout, words);
      expectHarmless(stderr, words);
      if (words.includes('--json')) {
        for (const line of stdout.split('\n').filter(Boolean)) JSON.parse(line);
      }
      if (given === answers && words.includes('--csv')) {
        expect(stdout.split('\n'), words).toHaveLength(3);
      }
    }
  }
});

test('a defect of a command, which Node prints, quotes nothing that a terminal interprets', async () => {
  const text = `\x1b[2J${MARK}`;
  // The SDK says which messages it received damaged.
  const damaged = { MessageId: text, ReceiptHandle: 'r', Body: 'x', MD5OfBody: 'x' };
  aws.answer({ ...answersWith(text), ReceiveMessage: { Messages: [damaged] } });
  const defect = await command('queue show', await filesWith(text)).catch(inspect);
  expect(defect).toContain('Invalid MD5 checksum');
  expectHarmless(String(defect), 'queue show');
});

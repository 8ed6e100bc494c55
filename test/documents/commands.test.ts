import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { queueClient } from '../../local/aws-clients.ts';
import { signIdToken } from '../../local/id-token.ts';
import { type LocalServer, startLocalServer } from '../../local/server.ts';
import { readCloudAssembly } from '../../local/synthesize.ts';
import { callsOf, checkCall } from '../support/documents/command-check.ts';
import { type Block, type Document, guides, PROJECT } from '../support/documents/document.ts';
import { copyProject } from '../support/documents/project-copy.ts';
import { pipeDeadLetter } from '../support/pipe-dead-letter.ts';

/* docs/README.md, "How the commands are checked", says what a block's treatment means. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const run = promisify(execFile);
const ROOT = fileURLToPath(PROJECT);
const TREATMENTS = [
  'sh',
  'sh parsed',
  'text output',
  'json output',
  'json',
  'markdown',
  'text',
  'ts',
];
const API_URL_OF_THE_DOCUMENTS = 'http://127.0.0.1:3000';

const documents = await guides();

let folder: string;
let programs: string;
beforeAll(async () => {
  ({ folder, programs } = await copyProject());
});
afterAll(() => rm(folder, { recursive: true }));

test.concurrent.each(documents)(
  '$file treats each block in a way that docs/README.md explains',
  ({ blocks }) => {
    blocks.forEach(({ language, treatment }, index) => {
      expect(TREATMENTS).toContain(language === 'ts' ? 'ts' : `${language} ${treatment}`.trim());
      const above = blocks[index - 1];
      if (treatment === 'output') expect(above && isRun(above)).toBe(true);
    });
  },
);

describe('a command that is not run exists, with its options', () => {
  const parsed = documents.flatMap(({ file, blocks, codeSpans }) => [
    ...blocks.filter(({ treatment }) => treatment === 'parsed').map(({ text }) => ({ file, text })),
    ...codeSpans.filter(isCommand).map((text) => ({ file, text })),
  ]);

  test.concurrent.each(parsed)('$file: $text', async ({ text }) => {
    const calls = await callsOf(text);
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) await checkCall(call);
  });

  /** A command in a sentence or a table, unless it contains a placeholder. */
  function isCommand(code: string): boolean {
    return /^(?:[A-Z_]+=\S+ )?(?:npm|npx|aws) /.test(code) && !/[<>…]/.test(code);
  }
});

describe('a command that is run prints what the document shows', () => {
  let server: LocalServer;

  beforeAll(async () => {
    server = await startLocalServer(await readCloudAssembly(inject('cloudAssembly')), {
      port: 0,
      folder,
      log: () => {},
    });
    await makeFixtures();
  });
  afterAll(() => server.stop());

  test.concurrent.each(documents.filter(({ blocks }) => blocks.some(isRun)))(
    '$file',
    async ({ blocks }) => {
      const runs = blocks.flatMap((block, index) =>
        isRun(block) ? { block, shown: shownBelow(blocks[index + 1]) } : [],
      );
      const printed = await paste(runs.map(({ block }) => block.text));
      for (const [index, { shown }] of runs.entries()) {
        if (shown !== undefined) expect(normal(printed[index] ?? '')).toMatch(asPattern(shown));
      }
    },
  );

  /** The state that the documents assume: a promo event of jane, three dead letters of the queue, and one of the bus. */
  async function makeFixtures(): Promise<void> {
    const { outputs, issuer } = server;
    const body = {
      clientId: 'demo',
      promoCode: 'WELCOME10',
      userId: 'jane',
      eventType: 'promo_applied',
      source: 'profile',
    };
    const response = await fetch(`${outputs.ApiUrl}/promoCode/apply`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${await signIdToken(issuer, { user: 'jane' })}`,
        'App-Id': 'demo-app-key',
        'Device-Id': '00000000-0000-0000-0000-000000000000',
        'Request-Date': new Date().toISOString(),
      },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    const deadLetters = [
      { clientId: 'demo', receivedAt: '2026-11-20T09:30:00.412Z' },
      { clientId: 'demo', receivedAt: '2026-11-20T09:31:12.007Z' },
      { clientId: 'acme', receivedAt: '2026-11-20T10:02:45.310Z' },
    ].map((own) => ({
      ...{ ...body, ...own },
      userId: 'demo-user',
      deviceId: '00000000-0000-0000-0000-000000000000',
      requestDate: own.receivedAt,
    }));
    const sqs = queueClient(outputs.SqsEndpoint);
    await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: outputs.PromoEventsDeadLetterQueueUrl,
        Entries: deadLetters.map((event, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify(event),
        })),
      }),
    );
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: outputs.PromoEventsBusDeadLetterQueueUrl,
        MessageBody: await pipeDeadLetter(outputs, 1, 1),
      }),
    );
    sqs.destroy();
  }

  /**
   * Runs the blocks of a document in one shell, as a reader does who pastes one after the other.
   *
   * @returns the output of each block.
   */
  async function paste(blocks: readonly string[]): Promise<string[]> {
    const end = '\n--- end of a block ---\n';
    // The standard error too, as a reader sees it.
    const script = ['exec 2>&1', ...blocks.map((text) => `${text}\nprintf '%s' '${end}'`)]
      .join('\n')
      .replaceAll(API_URL_OF_THE_DOCUMENTS, server.outputs.ApiUrl);
    const { npm_lifecycle_event, AWS_PROFILE, ...env } = process.env;
    const { stdout } = await run('/bin/sh', ['-euc', script], {
      cwd: folder,
      // The stand-in of the AWS CLI comes first: a run does not depend on what is installed.
      env: {
        ...env,
        PATH: `${programs}${delimiter}${env.PATH}`,
        npm_config_loglevel: 'silent',
      },
    });
    return stdout.split(end);
  }

  /** Output without the parts that differ from run to run. */
  function normal(text: string): string {
    return text
      .replaceAll(server.outputs.ApiUrl, API_URL_OF_THE_DOCUMENTS)
      .replace(/smoke-[\w-]+/g, 'smoke-<random>')
      .replace(/ +\d+ ms/g, ' <duration>')
      .replace(/"id":"[0-9a-f-]{36}"/g, '"id":"<random>"')
      .replace(/^[0-9a-f]{8}(?:-[0-9a-f]{4,12}){4}$/gm, '<App-Id>')
      .replace(/\b[0-9a-f]{64}\b/g, '<digest>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z(?=[ ,])/g, '<time>')
      .replace(/(published(?: by| +\d+ )) \S+(?:(?=: )| +)/g, '$1 <user>')
      .replace(/("(?:time|requestDate|receivedAt)":(?:\{"S":)?)"[-0-9T:.]+Z"/g, '$1"<time>"')
      .replace(/\d+ (passed|failed|skipped)/g, '<count> $1')
      .trim();
  }

  function shownBelow(block: Block | undefined): string | undefined {
    return block?.treatment === 'output' ? block.text : undefined;
  }

  /** A pattern of the output in a document; a line `…` matches any lines. */
  function asPattern(shown: string): RegExp {
    const lines = normal(shown)
      .split('\n')
      .map((line) => (line === '…' ? '[^]*' : line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
    return new RegExp(`^${lines.join('\n')}$`);
  }
});

test('the TypeScript samples compile', async () => {
  const samples = documents.flatMap(({ blocks }) =>
    blocks.filter(({ language }) => language === 'ts'),
  );
  const files = samples.map(({ treatment }, index) => treatment || `sample-${index}.ts`);
  expect(files.length).toBeGreaterThan(0);
  await Promise.all(
    samples.map(async ({ text }, index) => {
      const file = join(folder, files[index] ?? '');
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }),
  );
  const generator = createRequire(join(ROOT, 'client/package.json'));
  await run(process.execPath, [
    join(generator.resolve('openapi-typescript/package.json'), '../bin/cli.js'),
    ...[join(ROOT, 'openapi.json'), '--output', join(folder, 'client/src/openapi.ts')],
  ]);
  const tsconfig = {
    extends: './tsconfig.json',
    compilerOptions: {
      lib: ['es2024', 'esnext.disposable', 'dom'],
    },
    include: files,
  };
  await writeFile(join(folder, 'samples.json'), JSON.stringify(tsconfig));
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = await run(tsc, ['--project', join(folder, 'samples.json')]).catch(
    (error) => error,
  );
  expect(stdout).toBe('');
});

function isRun({ language, treatment }: Document['blocks'][number]): boolean {
  return language === 'sh' && treatment === '';
}

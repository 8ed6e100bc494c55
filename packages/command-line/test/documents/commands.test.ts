import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { headersOf } from 'customer-data-api/operations';
import { PROMO_EVENTS_SOURCE } from 'customer-data-api/promo-events';
import { type Block, guides, PROJECT } from 'customer-data-api/testing/documents/document';
import { copyProject } from 'customer-data-api/testing/documents/project-copy';
import { PROMO_REQUEST } from 'customer-data-api/testing/service';
import { queueClient, signIdToken } from 'customer-data-api-deployment/local';
import { type LocalServer, readCloudAssembly, startLocalServer } from 'customer-data-api-local';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { customerDataCommand } from '../../command-line.ts';
import { callsOf, checkCall } from '../support/documents/command-check.ts';

/* docs/README.md, "How the commands are checked", says what a block's treatment means. */

const run = promisify(execFile);
const ROOT = fileURLToPath(PROJECT);
const TREATMENT = /^(?:sh(?: parsed)?|(?:text|json)(?: output)?|markdown|kotlin|swift|tsx?)$/;
const API_URL_OF_THE_DOCUMENTS = 'http://127.0.0.1:3000';

const documents = await guides();
const groups = (await customerDataCommand(process)).commands.map((group) => group.name());

let folder: string;
let programs: string;
beforeAll(async () => {
  ({ folder, programs } = await copyProject());
});
afterAll(() => rm(folder, { recursive: true }));

test.concurrent.each(documents)(
  '$file treats each block in a way that docs/README.md explains',
  ({ blocks }) => {
    blocks.forEach(({ language, treatment, text }, index) => {
      expect(`${language} ${treatment}`.trim()).toMatch(TREATMENT);
      const above = blocks[index - 1];
      if (treatment === 'output') expect(above && isRun(above)).toBe(true);
      // Without it, the CDK takes the stage dev.
      const cdk = language === 'sh' ? text.match(/.*\bcdk (?:deploy|destroy|diff)\b.*/g) : [];
      for (const line of cdk ?? []) expect(line).toMatch(/ (?:-c stage=|--app )/);
    });
  },
);

describe('a command that is not run exists, with its options', () => {
  const parsed = documents.flatMap(({ file, blocks, codeSpans }) => [
    ...blocks.filter(({ treatment }) => treatment === 'parsed').map(({ text }) => ({ file, text })),
    ...codeSpans
      .map(withProgram)
      .filter(isCommand)
      .map((text) => ({ file, text })),
  ]);

  test.concurrent.each(parsed)('$file: $text', async ({ text }) => {
    const calls = await callsOf(text);
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) await checkCall(call);
  });

  /** Adds the program that a sentence leaves out, such as in `promo list`. */
  function withProgram(code: string): string {
    const [group = '', ...words] = code.split(' ');
    return words.length > 0 && groups.includes(group) ? `./customer-data ${code}` : code;
  }

  /** A command in a sentence or a table, unless it contains a placeholder. */
  function isCommand(code: string): boolean {
    return /^(?:[A-Z_]+=\S+ )?(?:npm|npx|aws|\.\/customer-data) /.test(code) && !/[<>…]/.test(code);
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
    async ({ file, blocks }) => {
      const runs = blocks.flatMap((block, index) => {
        const below = blocks[index + 1];
        const shown = below?.treatment === 'output' ? below.text : undefined;
        return isRun(block) ? { block, shown } : [];
      });
      const printed = await paste(runs.map(({ block }) => block.text));
      for (const [index, { shown }] of runs.entries()) {
        if (shown === undefined) continue;
        const output = printed[index] ?? '';
        if (asPattern(shown).test(normal(output))) continue;
        expect(inject('updates'), `${file} shows\n${shown}\nand it is\n${output}`).toBe(true);
        await replaceOutput(file, shown, output);
      }
    },
  );

  /** Writes an output into its document. Lines that match stay, with their times and ids. */
  async function replaceOutput(file: string, shown: string, output: string): Promise<void> {
    const old = shown.split('\n').filter((line) => line !== '…');
    const lines = output
      .trimEnd()
      .split('\n')
      .map((line) => old.find((one) => asPattern(one).test(normal(line))) ?? line);
    const path = join(ROOT, file);
    const text = await readFile(path, 'utf8');
    const block = `\n${shown.trimEnd()}\n`;
    expect(text).toContain(block);
    await writeFile(
      path,
      text.replace(block, () => `\n${lines.join('\n')}\n`),
    );
  }

  /**
   * The state that the documents assume: a promo event of jane, three dead letters of the queue,
   * and one of the bus.
   */
  async function makeFixtures(): Promise<void> {
    const { outputs, issuer } = server;
    const deviceId = '00000000-0000-0000-0000-000000000000';
    const headers = headersOf({
      idToken: await signIdToken(issuer, { user: 'jane' }),
      appId: 'demo-app-key',
      deviceId,
      requestDate: new Date().toISOString(),
    });
    const body = JSON.stringify({ ...PROMO_REQUEST, userId: 'jane' });
    const url = `${outputs.ApiUrl}/promoCode/apply`;
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
    const deadLetters = [
      ['demo', '2026-11-20T09:30:00.412Z'],
      ['demo', '2026-11-20T09:31:12.007Z'],
      ['acme', '2026-11-20T10:02:45.310Z'],
    ].map(([clientId, receivedAt]) => ({
      ...PROMO_REQUEST,
      clientId,
      userId: 'demo-user',
      deviceId,
      receivedAt,
      requestDate: receivedAt,
    }));
    const sqs = queueClient(outputs.SqsEndpoint);
    const send = (QueueUrl: string, MessageBody: string) =>
      sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    for (const event of deadLetters) {
      await send(outputs.PromoEventsDeadLetterQueueUrl, JSON.stringify(event));
    }
    await send(
      outputs.PromoEventsBusDeadLetterQueueUrl,
      JSON.stringify({
        source: PROMO_EVENTS_SOURCE,
        detailType: 'applied',
        detail: { clientId: 'demo', eventId: 'jane#WELCOME10#applied' },
        time: '2026-11-20T09:30:01.000Z',
        reason: 'It could not be published: ThrottlingException',
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
      .replace(
        /\d{4}-\d\d-\d\d [\d:]{8}Z {2}(is live|\d+ \w+) +\S+ +/g,
        '<time> <duration> <user> ',
      )
      .replace(/(?<=by )[\d:]{8}|(?<=was live for )\d+ \w+/g, '<time>')
      .replace(/("(?:time|requestDate|receivedAt)":(?:\{"S":)?)"[-0-9T:.]+Z"/g, '$1"<time>"')
      .replace(/\d+ (passed|failed)/g, '<count> $1')
      .trim();
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
  const include = samples.map((_, index) => `sample-${index}.ts`);
  expect(include.length).toBeGreaterThan(0);
  for (const [index, { text }] of samples.entries()) {
    await writeFile(join(folder, include[index] ?? ''), text);
  }
  await run(process.execPath, [join(folder, 'packages/sdk/generate-types.ts')]);
  const compilerOptions = { lib: ['es2024', 'esnext.disposable', 'dom', 'dom.iterable'] };
  const tsconfig = { extends: './tsconfig.json', compilerOptions, include };
  await writeFile(join(folder, 'samples.json'), JSON.stringify(tsconfig));
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = await run(tsc, ['--project', join(folder, 'samples.json')]).catch(
    (error) => error,
  );
  expect(stdout).toBe('');
});

function isRun({ language, treatment }: Block): boolean {
  return language === 'sh' && treatment === '';
}

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import type { ApplyPromoCodeRequest, Session } from '../../client/src/index.ts';
import { signIdToken } from '../../local/id-token.ts';
import { close, listen } from '../../local/listen.ts';
import { PROMO_REQUEST, startService } from '../support/service.ts';
import { templateFor } from '../support/stack.ts';

/** What the page gets from its server. */
export interface PageInput {
  readonly session: Pick<Session, 'appId' | 'baseUrl' | 'deviceId'> & { readonly idToken: string };
  readonly request: ApplyPromoCodeRequest;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const browser = await findBrowser();
if (!browser) {
  process.stdout.write(`There is no ${NAMES.join(', ')} here, so its test is left out.\n`);
}

async function findBrowser(): Promise<string | undefined> {
  for (const name of NAMES) {
    const found = await promisify(execFile)(name, ['--version']).catch(() => undefined);
    if (found) return name;
  }
  return undefined;
}

test.skipIf(!browser)('the client works in a page of another origin, in Chromium', async () => {
  const results = Promise.withResolvers<string>();
  let input: PageInput | undefined;
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
    ...{ bundle: true, write: false, format: 'esm', target: 'es2022' },
  });
  const pages = createServer(async (request, response) => {
    if (request.url === '/results') results.resolve(await text(request));
    const [type, body] =
      request.url === '/page.js'
        ? ['text/javascript', outputFiles[0]?.contents]
        : request.url === '/input'
          ? ['application/json', JSON.stringify(input)]
          : ['text/html', '<script type="module" src="/page.js"></script>'];
    response.writeHead(200, { 'Content-Type': type }).end(body);
  });
  const pageOrigin = await listen(pages);
  const template = templateFor({ corsOrigins: [pageOrigin] }).toJSON();
  await using service = await startService({}, undefined, undefined, template);
  input = {
    session: {
      baseUrl: service.outputs.ApiUrl,
      appId: 'demo-app-key',
      deviceId: '00000000-0000-0000-0000-000000000000',
      idToken: await signIdToken(service.issuer),
    },
    request: PROMO_REQUEST,
  };

  const profile = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const chromium = open(pageOrigin, profile);
  const answer = await Promise.race([results.promise, failureOf(chromium)]);
  chromium.kill();
  await once(chromium, 'close');
  await rm(profile, { recursive: true, maxRetries: 5, retryDelay: 200 });
  await close(pages);

  const requestId = expect.stringMatching(/^[\da-f-]{36}$/);
  const applied = { outcome: 'success', requestId, data: { outcome: 'applied' } };
  expect(JSON.parse(answer)).toMatchObject({
    config: { outcome: 'success', requestId, data: { lastFieldId: 4 } },
    refused: { outcome: 'error', requestId, error: { code: 'Unauthorized' } },
    applied,
    queued: [{ isKept: false, result: applied }],
    corrected: applied,
    aborted: { outcome: 'noAnswer' },
  });
  const events = await service.promoEvents();
  expect(events.map(({ promoCode, kind }) => [promoCode, kind]).sort()).toEqual([
    ['CLOCK', 'applied'],
    ['QUEUED', 'applied'],
    ['WELCOME10', 'applied'],
  ]);
});

function open(url: string, profile: string): ChildProcess {
  const chromium = spawn(
    browser ?? '',
    [
      ...['--headless', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
      // Its sandbox does not work in most containers. The page is ours.
      ...['--no-sandbox', `--user-data-dir=${profile}`, url],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  // For a test that times out.
  process.once('exit', () => chromium.kill());
  return chromium;
}

/** Rejects when the browser ends, with what it printed. */
async function failureOf(chromium: ChildProcess): Promise<never> {
  const printed = chromium.stderr ? text(chromium.stderr) : '';
  const [reason] = await Promise.race([once(chromium, 'exit'), once(chromium, 'error')]);
  throw new Error(`The browser ended: ${reason}\n${await printed}`);
}

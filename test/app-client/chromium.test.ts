import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIdToken } from '../../local/cognito/id-token.ts';
import { close, listen } from '../../local/listen.ts';
import type { ApplyPromoCodeRequest, Session } from '../../sdk/src/index.ts';
import vectors from '../../sdk/test-vectors/fields.json' with { type: 'json' };
import { findBrowser } from '../support/browser.ts';
import { PROMO_REQUEST, type Service, startService } from '../support/service.ts';
import { templateFor } from '../support/stack.ts';

/** What the page `form` found, for each answer of the test vectors. */
interface FormReport {
  readonly results: readonly {
    readonly entered: readonly string[];
    /** The positions of the inputs with a problem. */
    readonly wrong: readonly number[];
    readonly isComplete: boolean;
    readonly isFocused: boolean;
    /** The number of problems that are shown as text. */
    readonly texts: number;
  }[];
}

/** What a page gets from its server. */
export interface PageInput {
  readonly session: Pick<Session, 'appId' | 'baseUrl' | 'deviceId'> & { readonly idToken: string };
  readonly request: ApplyPromoCodeRequest;
}

const SDK = fileURLToPath(new URL('../../sdk/src/index.ts', import.meta.url));

const browser = await findBrowser();

describe.skipIf(!browser)('in Chromium', () => {
  let service: Service;
  let pages: Server;
  let origin: string;
  let input: PageInput;
  /** Called when a page waits for the others, and when it reports. */
  let onArrival: (response: ServerResponse) => void;
  let onReport: (report: string) => void;
  beforeAll(async () => {
    pages = await servePages();
    origin = await listen(pages, 0, { pages: 'all' });
    const template = templateFor({ corsOrigins: [origin] }).toJSON();
    service = await startService({}, undefined, undefined, template);
    input = {
      session: {
        baseUrl: service.outputs.ApiUrl,
        appId: 'demo-app-key',
        deviceId: '00000000-0000-0000-0000-000000000000',
        idToken: await signIdToken(service.issuer),
      },
      request: PROMO_REQUEST,
    };
  });
  afterAll(() => Promise.all([service.stop(), close(pages)]));

  /** Serves the scripts, each in a page of its name. */
  async function servePages(): Promise<Server> {
    const scripts = new Map<string, string>();
    for (const name of ['page', 'tab', 'form']) {
      const { outputFiles } = await build({
        entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
        ...{ bundle: true, write: false, format: 'esm', target: 'es2022' },
        alias: { 'customer-data-api-sdk': SDK },
      });
      scripts.set(`/${name}.js`, outputFiles[0]?.text ?? '');
    }
    return createServer(async (request, response) => {
      const { url = '' } = request;
      const script = scripts.get(url);
      if (script) response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script);
      else if (url === '/input') response.end(JSON.stringify(input));
      else if (url === '/start') onArrival(response);
      else if (url === '/results') {
        onReport(await text(request));
        response.end();
      } else {
        const page = `<script type="module" src="${url}.js"></script>`;
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
      }
    });
  }

  /** Opens a page in a browser. Returns its report, and those of the tabs that it opens. */
  async function open(name: string, tabs = 1): Promise<unknown[]> {
    const profile = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
    const reports: string[] = [];
    const complete = Promise.withResolvers<void>();
    const waiting: ServerResponse[] = [];
    onArrival = (response) => {
      if (waiting.push(response) < tabs) return;
      for (const [index, one] of waiting.entries()) one.end(String(index));
    };
    onReport = (report) => {
      if (reports.push(report) === tabs) complete.resolve();
    };
    const chromium = startBrowser(`${origin}/${name}`, profile);
    await Promise.race([complete.promise, failureOf(chromium)]);
    chromium.kill();
    await once(chromium, 'close');
    await rm(profile, { recursive: true, maxRetries: 5, retryDelay: 200 });
    return reports.map((report) => JSON.parse(report));
  }

  test('the client works in a page of another origin', async () => {
    const requestId = expect.stringMatching(/^[\da-f-]{36}$/);
    const applied = { outcome: 'success', requestId, data: { outcome: 'applied' } };
    expect(await open('page')).toMatchObject([
      {
        config: { outcome: 'success', requestId, data: { lastFieldId: 4 } },
        refused: { outcome: 'error', requestId, error: { code: 'Unauthorized' } },
        applied,
        queued: [{ request: { promoCode: 'QUEUED' }, result: applied }],
        corrected: applied,
        aborted: { outcome: 'noAnswer' },
      },
    ]);
    const events = await service.promoEvents();
    expect(events.map(({ promoCode, kind }) => [promoCode, kind]).sort()).toEqual([
      ['CLOCK', 'applied'],
      ['QUEUED', 'applied'],
      ['WELCOME10', 'applied'],
    ]);
  });

  test('two tabs with one queue send each code once, lose none, and both get each result', async () => {
    const sent: string[] = [];
    service.servers.gateway.prependListener('request', ({ method, headers }) => {
      if (method === 'POST') sent.push(String(headers['request-date']));
    });
    const before = await service.promoEvents();
    const reports = await open('tab', 2);
    const codes = [0, 1].flatMap((tab) => Array.from({ length: 20 }, (_, i) => `${tab}-${i}`));
    expect(reports).toEqual([codes.sort(), codes]);
    expect(sent).toHaveLength(codes.length);
    const events = (await service.promoEvents()).slice(before.length);
    expect(events.map(({ kind }) => kind)).toEqual(codes.map(() => 'applied'));
  });

  test('the form of the web example marks what the test vectors call a problem', async () => {
    const [{ results, ...others }] = (await open('form')) as [FormReport];
    for (const [index, { field, instances, problems }] of vectors.answers.entries()) {
      const { entered, ...found } = results[index] as FormReport['results'][number];
      const inputs = entered.length / Math.max(1, instances.length);
      const wrong = [...new Set(problems.map(({ instance, input }) => instance * inputs + input))];
      const isComplete = wrong.length === 0;
      expect(found, `${field} ${JSON.stringify(instances)}`).toEqual({
        ...{ wrong, isComplete, isFocused: !isComplete, texts: wrong.length },
      });
    }
    expect(others).toEqual({
      labels: ['Remove', 'Remove', 'Add a child'],
      answers: [[''], ['<b>Ann</b>']],
      left: [['<b>Ann</b>']],
      events: 3,
    });
  });
});

function startBrowser(url: string, profile: string): ChildProcess {
  const args = [
    ...['--headless', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    // A page may open another tab.
    '--disable-popup-blocking',
    // Its sandbox does not work in most containers. The pages are ours.
    ...['--no-sandbox', `--user-data-dir=${profile}`, url],
  ];
  const chromium = spawn(browser ?? '', args, { stdio: ['ignore', 'ignore', 'pipe'] });
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

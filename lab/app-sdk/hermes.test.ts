import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newFolder } from 'customer-data-api/testing/new-folder';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { findHermes } from './engines.ts';

const hermes = await findHermes();

/** The globals that React Native adds to its engine, and a way to print. */
const PROGRAM = `
  import { scenario } from './scenario.ts';
  // The engine alone has timers without a clock: each is due at once. A limit must not be.
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (run, milliseconds) => milliseconds >= 10000 ? 0 : setTimeout(run, 0);
  globalThis.AbortController = function () {
    const listeners = new Set();
    this.signal = {
      aborted: false,
      addEventListener: (_, listener) => listeners.add(listener),
      removeEventListener: (_, listener) => listeners.delete(listener),
    };
    this.abort = () => {
      this.signal.aborted = true;
      for (const listener of listeners) listener();
    };
  };
  scenario().then((result) => print(JSON.stringify(result)), (error) => print(String(error)));
`;

test.skipIf(!hermes)(
  'in Hermes, a code is applied after a lost response, an outage, an expired token and a wrong clock',
  async () => {
    await using folder = await newFolder();
    const bundle = join(folder.path, 'program.js');
    const { outputFiles } = await build({
      stdin: { contents: PROGRAM, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'neutral',
      // Without async functions, as React Native's compiler makes it for this engine.
      target: 'es2016',
    });
    await writeFile(bundle, outputFiles[0]?.contents ?? '');
    const { stdout } = await promisify(execFile)(hermes ?? '', [bundle]);
    const url = 'https://api.example.com/promoCode/apply';
    const first = { url, body: expect.objectContaining({ promoCode: 'WELCOME10' }) };
    const second = { url, body: expect.objectContaining({ promoCode: 'SUMMER26' }) };
    expect(JSON.parse(stdout)).toEqual({
      sent: [
        { ...first, authorization: 'Bearer old', days: 0 },
        { ...first, authorization: 'Bearer old', days: 0 },
        { ...first, authorization: 'Bearer old', days: 0 },
        { ...first, authorization: 'Bearer new', days: 0 },
        { ...second, authorization: 'Bearer new', days: 0 },
        { ...second, authorization: 'Bearer new', days: 2 },
      ],
      stored: { 'promo-codes': '[]' },
      results: [
        { outcome: 'success', requestId: 'id-4' },
        { outcome: 'success', requestId: 'id-6' },
      ],
    });
  },
);

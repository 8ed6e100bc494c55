/** Setup of tests that need the synthesized stack: waits until it exists. */
import { readFile } from 'node:fs/promises';
import { inject, vi } from 'vitest';
import { WAIT_MS } from './wait.ts';

const read = () => readFile(inject('synthesisResult'), 'utf8').catch(() => '');
const message = 'The stack was not synthesized in time.';
const result = await vi.waitUntil(read, { timeout: WAIT_MS, interval: 20, message });
if (result !== 'SYNTHESIZED') throw new Error(result);

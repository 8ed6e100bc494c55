import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { compile } from 'json-schema-to-typescript';
import { expect, test } from 'vitest';
import { appliedEventId } from '../../../core/promo-events/promo-event.ts';
import { publishedEvent } from '../../../core/promo-events/published-event.ts';
import { EVENTS_DOCUMENT, eventDeviations } from '../../../openapi/validation.ts';
import { newFolder } from '../../support/new-folder.ts';
import { eventOf } from '../../support/promo-event.ts';

const PROJECT = new URL('../../..', import.meta.url).pathname;
const run = promisify(execFile);

test('asyncapi.json is an AsyncAPI document', async () => {
  const file = createRequire(import.meta.url).resolve(
    '@asyncapi/specs/schemas/3.0.0-without-$id.json',
  );
  const schema = JSON.parse(await readFile(file, 'utf8'));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const isValid = ajv.compile(schema);
  isValid(EVENTS_DOCUMENT);
  expect(isValid.errors).toBe(null);
  expect(isValid({ ...EVENTS_DOCUMENT, channels: { bus: { address: 7 } } })).toBe(false);
});

const EVENT = eventOf('jane');
const { detailType, detail } = publishedEvent({
  ...EVENT,
  eventId: appliedEventId(EVENT),
  kind: 'applied',
  expiresAt: 1795685402,
});
const PUBLISHED = {
  version: '0',
  id: '6c0b9c58-8f8b-4f0c-9d3a-8f2c3d9a6f51',
  'detail-type': detailType,
  source: 'customer-data-api.promo-events',
  account: '000000000000',
  time: '2026-11-21T20:57:48Z',
  region: 'us-east-1',
  resources: [],
  detail,
};

test('events of another version, type or form are not those of the document', () => {
  expect(eventDeviations(PUBLISHED)).toEqual([]);
  for (const change of [
    { 'detail-type': 'removed' },
    { source: 'another' },
    { detail: { ...detail, version: '1' } },
    { detail: { ...detail, expiresAt: '1795685402' } },
    { detail: { version: '2', item: detail } },
  ]) {
    expect(eventDeviations({ ...PUBLISHED, ...change })).not.toEqual([]);
  }
});

const CONSUMER = `import type { Event } from './event.ts';
const event: Event = JSON.parse(process.argv[2] ?? '');
if (event['detail-type'] === 'applied') {
  const { clientId, eventId, expiresAt = 0, promoCodeToken } = event.detail;
  // @ts-expect-error
  const wrong: number = promoCodeToken;
  process.stdout.write([clientId, eventId, expiresAt + 1].join());
}
`;

test('types that a generator makes of the document compile, and read an event', async () => {
  const { path, remove } = await newFolder();
  try {
    const messages = Object.keys(EVENTS_DOCUMENT.components.messages);
    const oneOf = messages.map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const { components } = EVENTS_DOCUMENT;
    await writeFile(
      join(path, 'event.ts'),
      await compile({ components, oneOf } as object, 'Event'),
    );
    await writeFile(join(path, 'consumer.ts'), CONSUMER);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext'];
    const types = ['--allowImportingTsExtensions', '--types', 'node', '--typeRoots'];
    await run(
      join(PROJECT, 'node_modules/.bin/tsc'),
      [...options, ...types, join(PROJECT, 'node_modules/@types'), join(path, 'consumer.ts')],
      { cwd: path },
    );
    const { stdout } = await run(process.execPath, [
      join(path, 'consumer.ts'),
      JSON.stringify(PUBLISHED),
    ]);
    expect(stdout).toBe('demo,jane#CODE#applied,1795685403');
  } catch (error) {
    throw new Error(String(Object(error).stdout || error), { cause: error });
  } finally {
    await remove();
  }
}, 60_000);

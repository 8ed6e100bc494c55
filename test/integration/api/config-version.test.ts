import { afterAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { listVersions } from '../../../core/history/versions-table.ts';
import { PIZZA } from '../../support/configurations.ts';
import { startFaultyService } from '../../support/faulty-service.ts';

/* The digest in `Config-Version`. Each test of the API checks that it is there. */

const service = await startFaultyService({ environment: { CONFIG_CACHE_SECONDS: '0' } });
afterAll(() => service.stop());

const client = { clientId: 'pizza', appIds: ['demo-app-key'], lastFieldId: 1 };
const field = { ...parse(PIZZA).fields[1], appUIs: ['profile'] };
const translations = { de: { fieldName: 'Nachname' }, fr: { fieldName: 'Nom' } };

async function versionIn(language?: string) {
  const { headers } = await service.getConfig({
    headers: { 'Accept-Language': language },
    body: { clientId: 'pizza' },
  });
  return [headers['config-version'], headers['content-language']];
}

/** The digest of the newest version, when there are so many. */
async function recordedDigest(count: number): Promise<string | undefined> {
  const { dynamodb, outputs } = service;
  const table = { dynamodb, versionsTableName: outputs.ConfigVersionsTableName };
  return vi.waitFor(async () => {
    const { value } = await listVersions(table, 'pizza').next();
    expect(value?.version).toBe(count);
    return value?.digest;
  });
}

test('is that of the stored content in the history, after each edit by hand, whatever apps see of it', async () => {
  const digests = new Set<unknown>();
  const contents: object[] = [
    { fields: [field] },
    { fields: [{ ...field, translations }], language: 'en' },
    // Apps get the same.
    { fields: [{ ...field, translations, appUIs: new Set(field.appUIs) }], language: 'en' },
    { fields: [{ ...field, remark: 'for us' }, { id: 'left out' }] },
    { fields: 'none' },
    {},
  ];
  for (const [index, content] of contents.entries()) {
    await service.putConfig({ ...client, ...content });
    const digest = await recordedDigest(index + 1);
    expect(await versionIn(), JSON.stringify(content)).toEqual([digest, undefined]);
    digests.add(digest);
  }
  expect(digests.size).toBe(contents.length);
});

test('is the same in all languages, and in the copy that is served during an outage', async () => {
  await service.putConfig({ ...client, fields: [{ ...field, translations }], language: 'en' });
  const [digest] = await versionIn();
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(await versionIn('de')).toEqual([digest, 'de']);
  service.toDynamoDb.faultOf = ({ operation }) =>
    operation === 'GetItem' ? 'internal error' : undefined;
  for (const language of ['de', 'fr', 'en']) {
    expect(await versionIn(language)).toEqual([digest, language]);
  }
  service.toDynamoDb.faultOf = () => undefined;
});

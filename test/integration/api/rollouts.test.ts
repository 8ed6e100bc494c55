import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { contentDigest } from '../../../core/clients/content-digest.ts';
import { candidateRule } from '../../../core/clients/rollout-devices.ts';
import { startService } from '../../support/service.ts';

/* Who gets the candidate of a rollout, over HTTP. */

const service = await startService({ environment: { CONFIG_CACHE_SECONDS: '0' } });
afterAll(() => service.stop());

const ZEROS = '00000000-0000-0000-0000-000000000000';
const live = { fields: [], lastFieldId: 7 };
const candidate = { fields: [], lastFieldId: 8, language: 'en' };
const [liveVersion, candidateVersion] = [live, candidate].map((one) =>
  contentDigest(marshall(one)),
);
const DEVICES = Array.from({ length: 100 }, (_, index) => `device-${index}`);
const rollout = { ...candidate, id: 'one', percent: 20, devices: ['Tester'] };

const put = (clientId: string, more: object) =>
  service.putConfig({ clientId, appIds: ['demo-app-key'], ...live, ...more });

/** The `lastFieldId` that a device gets, with its version. */
async function answer(clientId: string, headers: Readonly<Record<string, string | string[]>>) {
  const { status, headers: sent, body } = await service.getConfig({ headers, body: { clientId } });
  expect(status).toBe(200);
  return [body.data.lastFieldId, sent['config-version']];
}
const MADE = '6d92078a-8246-4ba4-ae5b-76104861e7dc';
/** A device that is in the bucket of the candidate. */
const ofCandidate = DEVICES.find((deviceId) => candidateRule(rollout)({ deviceId })) ?? '';
const LIVE = [7, liveVersion];
const CANDIDATE = [8, candidateVersion];

test('of many devices, those of the share get the candidate', async () => {
  await put('many', { rollout });
  const answers = await Promise.all(DEVICES.map((id) => answer('many', { 'Device-Id': id })));
  const expected = DEVICES.map((deviceId) =>
    candidateRule(rollout)({ deviceId }) ? CANDIDATE : LIVE,
  );
  expect(answers).toEqual(expected);
  // A unit test has the share.
  expect(new Set(expected).size).toBe(2);
});

test('an installation id comes before the Device-Id, and zeros are none', async () => {
  await put('ids', { rollout });
  for (const [headers, expected] of [
    [{ 'Device-Id': ZEROS }, LIVE],
    [{ 'Device-Id': 'tester' }, await answer('ids', { 'Installation-Id': 'tester' })],
    [{ 'Device-Id': 'Tester' }, CANDIDATE],
    [{ 'Device-Id': 'Tester', 'Installation-Id': 'another' }, CANDIDATE],
    [{ 'Device-Id': ZEROS, 'Installation-Id': ' Tester ' }, CANDIDATE],
    // A phone whose app has no installation id yet is in no share, whatever its Device-Id is.
    [{ 'Device-Id': ofCandidate }, CANDIDATE],
    [{ 'Device-Id': ofCandidate, 'Installation-Id': '0' }, LIVE],
    [{ 'Device-Id': ofCandidate, 'Installation-Id': ' (NULL) ' }, LIVE],
    [{ 'Device-Id': ofCandidate, 'Installation-Id': '' }, LIVE],
    [{ 'Device-Id': 'Tester', 'Installation-Id': '0' }, CANDIDATE],
  ] as const) {
    expect(
      await answer('ids', { ...headers } as Record<string, string>),
      JSON.stringify(headers),
    ).toEqual(expected);
  }
});

test('an installation id that is not one id is in no share, and a warning says so', async () => {
  await put('several', { rollout });
  for (const sent of [[MADE, MADE], `${MADE}, ${MADE}`, 'x'.repeat(129)]) {
    for (const [device, version] of [
      [ofCandidate, liveVersion],
      ['Tester', candidateVersion],
    ]) {
      const { status, headers, body } = await service.getConfig({
        headers: { 'Device-Id': device, 'Installation-Id': sent } as Record<string, string>,
        body: { clientId: 'several' },
      });
      expect([status, headers['config-version']], String(sent)).toEqual([200, version]);
      expect(body.warnings).toEqual([expect.stringContaining('Installation-Id')]);
    }
  }
  const headers = { 'Device-Id': ofCandidate, 'Installation-Id': '0' };
  const { body } = await service.getConfig({ headers, body: { clientId: 'several' } });
  expect(body.warnings).toEqual([]);
});

test('a candidate is served as if it were live: it inherits nothing', async () => {
  const text = { subType: 'text', placeHolderText: '', allowCopies: true, maxChars: 9 };
  const subFieldA = { ...text, alpha: true, numbers: true, symbols: true };
  const field = { fieldType: 'text', mandatory: false, allowMultiple: false, appUIs: ['profile'] };
  const named = { ...field, id: '1', fieldName: 'Fahrzeug', subFieldA };
  const translations = { en: { fieldName: 'Car' } };
  const languages = [{}, { language: 'de' }, { language: 'fr' }];
  const contents = languages.flatMap((language) =>
    [{}, { lastFieldId: 3 }].flatMap((id) =>
      [[], [named], [{ ...named, translations }]].map((fields) => ({ fields, ...language, ...id })),
    ),
  );
  const ask = async (clientId: string, accepted: string) => {
    const sent = { 'Device-Id': 'Tester', 'Accept-Language': accepted };
    const { status, headers, body } = await service.getConfig({
      headers: sent,
      body: { clientId },
    });
    return { status, data: body.data, language: headers['content-language'] };
  };
  for (const content of contents) {
    await service.putConfig({ clientId: 'alone', appIds: ['demo-app-key'], ...content });
    for (const beside of [{ language: 'de' }, { language: 'en', fields: [named] }, {}]) {
      const candidate = { ...content, id: 'one', percent: 100 };
      await put('beside', { ...beside, rollout: candidate });
      for (const accepted of ['de', 'en']) {
        const [alone, rolledOut] = [await ask('alone', accepted), await ask('beside', accepted)];
        expect(rolledOut, JSON.stringify([content, beside, accepted])).toEqual(alone);
      }
    }
  }
});

test('without a rollout nothing changes, and one that is damaged does not count', async () => {
  const respond = async (clientId: string) => {
    const headers = { 'Device-Id': 'Tester' };
    const { status, body, ...rest } = await service.getConfig({ headers, body: { clientId } });
    const { date: _, 'x-amzn-requestid': __, ...others } = rest.headers;
    return { status, body, headers: others };
  };
  await put('plain', {});
  const plain = await respond('plain');
  for (const damaged of [
    'soon',
    {},
    { ...rollout, percent: '20' },
    { ...rollout, fields: 'none' },
  ]) {
    await put('damaged', { rollout: damaged });
    expect(await respond('damaged')).toEqual(plain);
  }
});

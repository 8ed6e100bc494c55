import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { contentDigest } from 'customer-data-api/history';
import { historyOf } from 'customer-data-api/testing/history';
import { startService } from 'customer-data-api/testing/service';
import { deploymentOf } from 'customer-data-api-deployment';
import { afterAll, expect, test, vi } from 'vitest';
import { readExistingClient } from '../../../clients/configs-table.ts';
import type { Draft } from '../../../configurations/plan-draft.ts';
import { publication } from '../../../configurations/publication.ts';
import { reviewPlan } from '../../../configurations/review-plan.ts';

/* The life of a rollout in the running stack: what is written, recorded, and given to devices. */

const service = await startService({ environment: { CONFIG_CACHE_SECONDS: '0' } });
const { outputs, dynamodb } = service;
const tables = {
  dynamodb,
  configsTableName: outputs.ConfigsTableName,
  versionsTableName: outputs.ConfigVersionsTableName,
};
const context = { tables, deployment: deploymentOf({ stackName: 'local', outputs }) };
afterAll(() => service.stop());

const BY = { by: 'jane', message: 'Because' };
const field = (fieldName: string, more: object = {}) => ({
  fieldType: 'text',
  mandatory: false,
  allowMultiple: false,
  appUIs: ['register'],
  fieldName,
  subFieldA: {
    subType: 'text',
    placeHolderText: '',
    allowCopies: true,
    alpha: true,
    numbers: true,
    symbols: true,
    maxChars: 9,
  },
  ...more,
});
const hobby = field('Hobby', { id: '1' });

const change = async (wanted: Draft, meanwhile?: () => Promise<unknown>) => {
  const { show, apply } = publication(() => wanted, reviewPlan, BY);
  const shown = await show(context);
  await meanwhile?.();
  const isMade = shown.hasEffect && !shown.failure;
  const { version, failure } = isMade ? await apply(context, shown, BY.by) : {};
  if (failure) throw failure;
  return { plan: shown.plan, version, refusal: shown.failure };
};
const digestOf = async (clientId: string) =>
  (await readExistingClient(tables, clientId)).live.digest;

/** Stores a client, and starts a rollout of one field more. */
async function started(clientId: string, percent: number, devices: string[] = []) {
  await service.putConfig({ clientId, appIds: ['demo-app-key'], fields: [], lastFieldId: 0 });
  await change({ clientId, fields: [hobby] });
  const base = await digestOf(clientId);
  const starts = { percent, devices };
  await change({ clientId, base, fields: [hobby, field('Car')], starts });
}
const fieldsOf = async (clientId: string, device: string) => {
  const headers = { 'Device-Id': device };
  const { body, headers: sent } = await service.getConfig({ headers, body: { clientId } });
  const names = body.data.fields.map(
    ({ id, fieldName }: typeof hobby & { id: string }) => `${id} ${fieldName}`,
  );
  return { names, version: sent['config-version'] };
};
const stop = (clientId: string) => change({ clientId, rollout: 'stop' });
test('the ids of a candidate are given, even if it is discarded', async () => {
  await started('ids', 100);
  expect((await fieldsOf('ids', 'any')).names).toEqual(['1 Hobby', '2 Car']);
  await stop('ids');
  expect((await fieldsOf('ids', 'any')).names).toEqual(['1 Hobby']);
  const { live } = await readExistingClient(tables, 'ids');
  // The item itself says so, because the history may be behind.
  expect(live.attributes.lastFieldId).toBe(2);
  await change({ clientId: 'ids', base: live.digest, fields: [hobby, field('Shoe size')] });
  expect((await fieldsOf('ids', 'any')).names).toEqual(['1 Hobby', '3 Shoe size']);
  // The same question comes back with its id; another one cannot have it.
  const digest = await digestOf('ids');
  const draft = { clientId: 'ids', base: digest, fields: [hobby, field('Passport', { id: '2' })] };
  await expect(change(draft)).rejects.toMatchObject({ code: 'usedIds' });
  await change({ ...draft, fields: [hobby, field('Car', { id: '2' })] });
  expect((await fieldsOf('ids', 'any')).names).toEqual(['1 Hobby', '2 Car']);
});

test.each(['published', 'edited by hand'])(
  'a correction beside a preview, %s, comes to more devices with the candidate',
  async (how) => {
    const clientId = `corrected, ${how}`;
    await started(clientId, 0, ['phone']);
    const corrected = { ...hobby, fieldName: 'Hobbies' };
    if (how === 'published') {
      await change({ clientId, base: await digestOf(clientId), fields: [corrected] });
    } else {
      const item = await itemOf(clientId);
      await service.putConfig({ ...item, clientId, fields: [corrected] });
    }
    const given = async () => [
      (await fieldsOf(clientId, 'phone')).names,
      (await fieldsOf(clientId, 'other')).names,
    ];
    expect(await given()).toEqual([['1 Hobby', '2 Car'], ['1 Hobbies']]);
    await expect(change({ clientId, rollout: 99.99 })).rejects.toMatchObject({
      facts: { reason: { kind: 'changed', merge: 'possible' } },
    });
    expect(await given()).toEqual([['1 Hobby', '2 Car'], ['1 Hobbies']]);
    // Those who look at it see both first.
    await change({ clientId, rollout: 0, merges: true });
    expect(await given()).toEqual([['1 Hobbies', '2 Car'], ['1 Hobbies']]);
    await change({ clientId, rollout: 99.99 });
    expect((await given())[1]).toEqual(['1 Hobbies', '2 Car']);
  },
);

test('a preview ends only for one that was shown it', async () => {
  const clientId = 'replaced';
  await started(clientId, 0, ['phone']);
  const base = await digestOf(clientId);
  const preview = (device: string) => {
    const starts = { percent: 0, devices: [device] };
    return { clientId, base, fields: [hobby, field('Car', { id: '2' })], starts };
  };
  const meanwhile = () => change(preview('another'));
  await expect(change(preview('phone'), meanwhile)).rejects.toMatchObject({ progress: 'nothing' });
  expect((await fieldsOf(clientId, 'another')).names).toEqual(['1 Hobby', '2 Car']);
  const { plan } = await change(preview('phone'));
  expect(plan.discards).toMatchObject({ rollout: { devices: ['another'] }, start: { by: 'jane' } });
  expect((await fieldsOf(clientId, 'phone')).names).toEqual(['1 Hobby', '2 Car']);
  expect((await fieldsOf(clientId, 'another')).names).toEqual(['1 Hobby']);
});

test('a field is reworded under its id until customers can have answered it', async () => {
  const clientId = 'reworded';
  await started(clientId, 0, ['phone']);
  const draft = async (...more: object[]) => {
    return { clientId, base: await digestOf(clientId), fields: [hobby, ...more] };
  };
  const named = (fieldName: string) => field(fieldName, { id: '2' });
  const starts = { percent: 0, devices: ['phone'] };
  await change({ ...(await draft(named('Bike'))), starts });
  await stop(clientId);
  await change(await draft(named('Boat')));
  expect((await fieldsOf(clientId, 'other')).names).toEqual(['1 Hobby', '2 Boat']);
  await change(await draft());
  await change({ ...(await draft(named('Boat'))), starts });
  const reworded = { ...(await draft(named('Train'))), starts };
  await expect(change(reworded)).rejects.toMatchObject({ code: 'usedIds' });
});

test('what becomes live at the end is the candidate as it was rolled out', async () => {
  await started('same', 5);
  const { after } = (await change({ clientId: 'same', rollout: 'finish' })).plan;
  const { candidate } = (await historyOf(tables, 'same')).at(-2) ?? {};
  expect(contentDigest(candidate ?? {})).toBe(after.digest);
});

test('a rollout does not start if both configurations are too large together', async () => {
  const clientId = 'large';
  await service.putConfig({ clientId, appIds: ['demo-app-key'], fields: [], lastFieldId: 0 });
  const long = (text: string) => [field('x'.repeat(120_000), { id: '1', addButtonText: text })];
  await change({ clientId, fields: long('a'.repeat(120_000)) });
  const base = await digestOf(clientId);
  const draft = { clientId, base, fields: long('b'.repeat(120_000)) };
  const starts = { percent: 5, devices: [] };
  expect((await change({ ...draft, starts })).refusal).toMatchObject({
    facts: { refusal: { tooLarge: expect.any(String) } },
  });
  expect((await readExistingClient(tables, clientId)).rollout).toBeUndefined();
  expect((await change(draft)).refusal).toBeUndefined();
});

test('a rollout that nobody would get is refused before anybody is asked', async () => {
  const clientId = 'unreadable';
  await service.putConfig({ clientId, appIds: ['demo-app-key'], fields: [], lastFieldId: 0 });
  await change({ clientId, fields: [hobby] });
  const base = await digestOf(clientId);
  const draft = { clientId, base, fields: [hobby, field('Car')] };
  const names = (count: number) => Array.from({ length: count }, (_, index) => `phone ${index}`);
  const ask = vi.fn(async () => {});
  for (const starts of [
    { percent: 5, devices: names(101) },
    { percent: 101, devices: [] },
    { percent: -1, devices: [] },
    { percent: 0, devices: [] },
  ]) {
    await expect(change({ ...draft, starts }, ask)).rejects.toMatchObject({ code: 'usage' });
  }
  expect(ask).not.toHaveBeenCalled();
  expect((await readExistingClient(tables, clientId)).rollout).toBeUndefined();
  // Devices that are named twice count once.
  const devices = [...names(100), 'phone 7'];
  await change({ ...draft, starts: { percent: 0, devices } });
  expect((await fieldsOf(clientId, 'phone 99')).names).toContain('2 Car');
  await expect(change({ clientId, rollout: 101 })).rejects.toMatchObject({
    code: 'usage',
  });
});

const GOOD = { id: 'one', fields: [], percent: 5 };
const DAMAGED = {
  'no id': { ...GOOD, id: undefined },
  'an empty string': '',
  false: false,
  null: null,
};
const itemOf = async (clientId: string) => {
  const Key = { clientId };
  const TableName = outputs.ConfigsTableName;
  const { Item } = await service.documentClient.send(new GetCommand({ TableName, Key }));
  return Item ?? {};
};

test.each(Object.entries(DAMAGED))('a rollout with %s can be stopped', async (name, rollout) => {
  const clientId = `damaged: ${name}`;
  const item = { clientId, appIds: ['demo-app-key'], fields: [hobby], lastFieldId: 9 };
  await service.putConfig({ ...item, rollout });
  const { version } = await change({ clientId, rollout: 'stop' });
  expect(version).toMatchObject({ source: 'published', by: 'jane' });
  const { lastChange: _, ...after } = await itemOf(clientId);
  expect(after).toEqual(item);
});

test('a damaged rollout that somebody changes during a stop stays', async () => {
  const clientId = 'repaired';
  const item = { clientId, appIds: ['demo-app-key'], fields: [hobby], lastFieldId: 1 };
  await service.putConfig({ ...item, rollout: { ...GOOD, percent: '20' } });
  const repair = () => service.putConfig({ ...item, rollout: GOOD });
  await expect(change({ clientId, rollout: 'stop' }, repair)).rejects.toMatchObject({
    progress: 'nothing',
    cause: { code: 'conflict' },
  });
  expect((await itemOf(clientId)).rollout).toEqual(GOOD);
});

test('a stop leaves the rollout that somebody has started since', async () => {
  const clientId = 'restarted';
  await started(clientId, 5);
  const restart = async () => {
    await stop(clientId);
    const base = await digestOf(clientId);
    const starts = { percent: 20, devices: [] };
    await change({ clientId, base, fields: [hobby, field('Shoe size')], starts });
  };
  await expect(change({ clientId, rollout: 'stop' }, restart)).rejects.toMatchObject({
    progress: 'nothing',
    cause: { code: 'noRollout' },
  });
  expect((await readExistingClient(tables, clientId)).rollout).toMatchObject({ percent: 20 });
});

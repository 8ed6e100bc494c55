import { readFile, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { close } from '../../../local/listen.ts';
import { customerData, type Surroundings } from '../../support/command-line.ts';
import { PIZZA } from '../../support/configurations.ts';
import { FaultProxy } from '../../support/fault-proxy.ts';
import { type Service, startService } from '../../support/service.ts';

/* Operators change a configuration, and apps get it. */

const TEXT = {
  ...{ subType: 'text', allowCopies: true, alpha: true, numbers: true, symbols: true },
  maxChars: 8,
};

/** The attributes of a new field of type text that follow those in the tests. */
const FIELD = `    appUIs: [profile]
    allowMultiple: false
    subFieldA: { subType: text, allowCopies: true, alpha: true, numbers: true, symbols: true, maxChars: 80 }
`;

let service: Service;
beforeAll(async () => {
  service = await startService({ CONFIG_CACHE_SECONDS: '0' });
});
afterAll(() => service.stop());

/** The number of clients so far: each test has its own. */
let clients = 0;

/** Creates a client without fields, and the file with its first configuration. */
async function client() {
  clients += 1;
  const clientId = `pizza-${clients}`;
  const file = join(service.folder, `${clientId}.yaml`);
  await service.putConfig({ clientId, appIds: [`${clientId}-key`], fields: [], lastFieldId: 0 });
  await writeFile(file, PIZZA.replace('clientId: pizza', `clientId: ${clientId}`));
  let pulled = 0;
  return {
    clientId,
    file,
    publish: (options: readonly string[] = [], surroundings?: Surroundings) =>
      config(['publish', clientId, file, '-m', 'First fields', '--yes', ...options], surroundings),
    /** Pulls the configuration into a new file, and replaces a text in it. */
    pull: async (from: string, to: string) => {
      pulled += 1;
      const copy = join(service.folder, `${clientId}-${pulled}.yaml`);
      expect((await config(['pull', clientId, copy])).code).toBe(0);
      const text = await readFile(copy, 'utf8');
      expect(text).toContain(from);
      await writeFile(
        copy,
        text.replace(from, () => to),
      );
      return copy;
    },
    /** What apps get, as JSON. */
    served: async () => {
      const response = await service.getConfig({
        body: { clientId },
        headers: { 'App-Id': `${clientId}-key` },
      });
      expect(response.status).toBe(200);
      return JSON.stringify(response.body);
    },
  };
}

async function stored(clientId: string) {
  const { Item = {} } = await service.dynamodb.send(
    new GetItemCommand({
      TableName: service.outputs.ConfigsTableName,
      Key: { clientId: { S: clientId } },
    }),
  );
  return Item;
}

const config = (args: readonly string[], surroundings?: Surroundings) =>
  customerData(['config', ...args, '--outputs', service.outputsFile], surroundings);

describe('config publish', () => {
  test('shows what changes, makes it what apps get, and prints the version', async () => {
    const { clientId, publish, served } = await client();
    const { code, stdout, stderr } = await publish();
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${clientId}@2\n` });
    expect(stderr.split('\n').slice(0, 6)).toEqual([
      '0 errors, 0 warnings.',
      'Favourite pizza is added as number 1: drop, optional.',
      'Membership number is added as number 2: text, mandatory.',
      'Car is added as number 3: combo, optional.',
      'lastFieldId is 3 instead of 0.',
      '',
    ]);
    expect(JSON.parse(await served()).data).toMatchObject({
      fields: [{ fieldName: 'Favourite pizza' }, { fieldName: 'Membership number' }, {}],
      lastFieldId: 3,
    });
  });

  test('a field without an id gets the next one, and no id is given again', async () => {
    const { clientId, pull, publish, served } = await client();
    await publish();
    const removed = await pull('id: "3"', 'id: "3"');
    const text = await readFile(removed, 'utf8');
    await writeFile(removed, text.slice(0, text.indexOf('  - id: "3"')));
    expect((await config(['publish', clientId, removed, '-m', 'No cars', '--yes'])).code).toBe(0);
    const added = await pull('  - id: "2"', '  -');
    const { stdout } = await config(['publish', clientId, added, '-m', 'Again', '--yes', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ clientId, version: 4, source: 'published', message: 'Again', problems: 0 },
      by: userInfo().username,
    });
    const { fields, lastFieldId } = JSON.parse(await served()).data;
    expect(fields.map(({ id }: { id: string }) => id)).toEqual(['1', '4']);
    expect(lastFieldId).toBe(4);
  });

  test('leaves everything else in the item exactly as it is, also fields that did not change', async () => {
    const { clientId, pull } = await client();
    const unchanged = {
      ...{ id: '1', fieldType: 'combo', fieldName: 'A', mandatory: false, subFieldB: TEXT },
      subFieldA: { ...TEXT, maxChars: 9, options: 'derived' },
      appUIs: new Set(['register', 'profile']),
    };
    const fields = [unchanged, { ...unchanged, id: '2', fieldName: 'B' }];
    const appIds = new Set(['a', 'b']);
    await service.putConfig({ clientId, appIds, owner: 'marketing', fields, lastFieldId: 7 });
    const before = await stored(clientId);
    const file = await pull('fieldName: B', 'fieldName: C');
    expect((await config(['publish', clientId, file, '-m', 'Name', '--yes'])).code).toBe(0);
    const { lastChange, ...after } = await stored(clientId);
    expect(lastChange?.M?.message).toEqual({ S: 'Name' });
    const [first, second] = [before, after].map((item) => item.fields?.L ?? []);
    expect(second?.[0]).toEqual(first?.[0]);
    expect(second?.[1]?.M).toMatchObject({ fieldName: { S: 'C' } });
    expect({ ...after, fields: before.fields }).toEqual(before);
  });

  test('a file with an error, of another client, or without a message changes nothing', async () => {
    const { clientId, file, publish, served } = await client();
    const before = await served();
    await writeFile(file, PIZZA);
    expect(await publish()).toEqual({
      code: 2,
      stdout: '',
      stderr: `0 errors, 0 warnings.\n${file} is the configuration of pizza, not of ${clientId}. Correct the command, or clientId in the file.\nNothing was published.\n`,
    });
    const broken = PIZZA.replace('maxChars: 8', 'maxChars: eight');
    await writeFile(file, broken.replace('clientId: pizza', `clientId: ${clientId}`));
    const { code, stderr } = await publish();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${file}:31:7 error: fields[1].subFieldA.maxChars: must be a number, not "eight".\n1 error, 0 warnings.\nNothing was published.\n`,
    });
    expect((await config(['publish', clientId, file, '--yes'])).code).toBe(2);
    expect(await served()).toBe(before);
  });

  test('writes the base and the ids into the file, so that it can be changed again', async () => {
    const { clientId, file, publish, served } = await client();
    const draft = (await readFile(file, 'utf8'))
      .replace('lastFieldId: 3\n', '')
      .replaceAll(/ {2}- id: "\d"\n {4}/g, '  - ')
      .replace('Favourite pizza', 'Favourite pizza # of all');
    await writeFile(file, draft);
    const { code, stderr } = await publish();
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(
        `\n${file} has the new base and ids. You can change it again.\n`,
      ),
    });
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(/^clientId: \S+\nbase: \w{64}\nlastFieldId: 3\nfields:\n {2}- id: "1"\n/);
    expect(text).toContain('Favourite pizza # of all\n');
    await writeFile(file, text.replace('mandatory: true', 'mandatory: false'));
    const again = await publish();
    expect(again).toMatchObject({ code: 0, stdout: `${clientId}@3\n` });
    expect(again.stderr).not.toContain('erged');
    expect(again.stderr).toContain(`\n${file} has the new base and ids.`);
    expect(JSON.parse(await served()).data.fields).toHaveLength(3);
  });

  test('without a change, nothing is published', async () => {
    const { clientId, pull, publish } = await client();
    await publish();
    const file = await pull('Car', 'Car');
    expect(await config(['publish', clientId, file, '-m', 'Nothing', '--yes'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `0 errors, 0 warnings.\n${file} is what apps get already. Nothing was changed.\n`,
    });
  });

  test('a dry run shows what changes, and changes nothing', async () => {
    const { clientId, file, served } = await client();
    const before = await served();
    const { code, stdout, stderr } = await config(['publish', clientId, file, '--dry-run']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('Car is added as number 3: combo, optional.\n');
    expect(stderr).toMatch(/\nNothing was changed: this was a dry run\.\n$/);
    expect(await served()).toBe(before);
  });

  test.each([[], ['-m', '']])('needs a message: with %j it changes nothing', async (...options) => {
    const { clientId, file } = await client();
    for (const words of [
      ['publish', clientId, file],
      ['rollback', `${clientId}@1`],
    ]) {
      expect(await config([...words, '--yes', ...options])).toEqual({
        ...{ code: 2, stdout: '', stderr: 'Say what the change is for: -m TEXT.\n' },
      });
    }
    expect(await stored(clientId)).not.toHaveProperty('lastChange');
  });

  test('asks at a terminal, and fails without one', async () => {
    const { clientId, file, served } = await client();
    const before = await served();
    const words = ['publish', clientId, file, '-m', 'First fields'];
    expect((await config(words)).code).toBe(2);
    const refused = await config(words, { isTerminal: true, typed: 'n\n' });
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`Publish this for ${clientId}? [y/N] `);
    expect(refused.stderr).toMatch(/Nothing was published\.\n$/);
    expect(await served()).toBe(before);
    const agreed = await config(words, { isTerminal: true, typed: 'y\n' });
    expect({ code: agreed.code, stdout: agreed.stdout }).toEqual({
      code: 0,
      stdout: `${clientId}@2\n`,
    });
  });

  test('the id has to be typed if more than half of the fields are removed', async () => {
    const { clientId, pull, publish } = await client();
    await publish();
    const file = await pull('Car', 'Car');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.slice(0, text.indexOf('  - id: "2"')));
    const words = ['publish', clientId, file, '-m', 'Fewer'];
    const refused = await config(words, { isTerminal: true, typed: 'yes\n' });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`Type ${clientId} to confirm: `);
    const agreed = await config(words, { isTerminal: true, typed: `${clientId}\n` });
    expect(agreed.code).toBe(0);
  });

  test('corrects a misspelled attribute of the item, and removes no other one', async () => {
    const { clientId, file, pull, served } = await client();
    const feilds = [
      {
        ...{ id: '1', fieldType: 'combo', fieldName: 'A', mandatory: false, subFieldB: TEXT },
        subFieldA: { ...TEXT, maxChars: 9 },
      },
    ];
    const item = { clientId, appIds: [`${clientId}-key`], friends: ['Ann'], lastFieldId: 1 };
    await service.putConfig({ ...item, feilds });
    const pulled = await pull('feilds:', 'fields:');
    expect(await readFile(pulled, 'utf8')).not.toContain('friends');

    // This one was not made from what is in the attribute.
    const unseen = await config(['publish', clientId, file, '-m', 'New', '--dry-run']);
    expect(unseen.code).toBe(0);
    expect(unseen.stderr.split('\n').slice(1, 3)).toEqual([
      `${clientId}: error: feilds: is not an attribute that the service knows; fields is. It stays in the item. config pull writes it into the file: rename or delete it there, and publish that.`,
      'Favourite pizza is added as number 1: drop, optional.',
    ]);

    const words = ['publish', clientId, pulled, '-m', 'Typo', '--yes', '--json'];
    const { stdout, stderr } = await config(words);
    expect(stderr).toContain('\nThe attribute feilds is removed.\nA is added as number 1: ');
    expect(JSON.parse(stdout)).toMatchObject({ message: 'Typo' });
    expect(JSON.parse(await served()).data.fields).toMatchObject([{ fieldName: 'A' }]);
    const after = await stored(clientId);
    expect(after).not.toHaveProperty('feilds');
    expect(after.friends).toEqual({ L: [{ S: 'Ann' }] });
  });
});

describe('two operators', () => {
  test('at once: one publishes, the other is told who did, and loses nothing', async () => {
    const { clientId, pull, publish, served } = await client();
    await publish();
    const files = [await pull('Favourite pizza', 'Pizza'), await pull('Make', 'Brand')];
    const both = await Promise.all(
      files.map((file, index) =>
        config(['publish', clientId, file, '-m', `Change ${index}`, '--yes']),
      ),
    );
    const winner = both.findIndex(({ code }) => code === 0);
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 3]);
    const told = both[1 - winner]?.stderr.split('\n').slice(-7);
    const theirs = expect.stringMatching(
      `^  ${clientId}@3 at 20[-0-9T:.]+Z, published by ${userInfo().username}: Change ${winner}$`,
    );
    expect(told).toEqual([
      `${clientId} has changed meanwhile, so nothing was published:`,
      theirs,
      winner === 0
        ? '    Favourite pizza is now called Pizza.'
        : '    Car (subFieldA): the placeholder is Brand instead of Make.',
      `customer-data config diff ${clientId}@2 ${clientId}@3 shows the lines.`,
      'If that is about other fields, --merge keeps both changes.',
      'Otherwise, pull the configuration into a new file, and make your change there.',
      '',
    ]);
    const loser = files[1 - winner] ?? '';
    // --yes does not override the conflict.
    expect((await config(['publish', clientId, loser, '-m', 'Again', '--yes'])).code).toBe(3);
    const merged = await config(['publish', clientId, loser, '-m', 'Both', '--yes', '--merge']);
    expect(merged).toMatchObject({ code: 0, stdout: `${clientId}@4\n` });
    // What is printed is about the result: one change is live already, so the other one is left.
    expect(merged.stderr.split('\n').slice(0, 8)).toEqual([
      '0 errors, 0 warnings.',
      'Merged with what changed meanwhile:',
      theirs,
      `${loser}, merged: 0 errors, 0 warnings.`,
      winner === 0
        ? 'Car (subFieldA): the placeholder is Brand instead of Make.'
        : 'Favourite pizza is now called Pizza.',
      '',
      `--- ${clientId}`,
      `+++ ${loser}, merged`,
    ]);
    expect(await served()).toMatch(/"fieldName":"Pizza".*"placeHolderText":"Brand"/);
  });

  test('have in the file of a merge what apps get then, and add no field twice', async () => {
    const { clientId, pull, publish, served } = await client();
    await publish();
    const added =
      '  # Asked for by the kitchen\n  - fieldType: text\n    fieldName: Allergies # all\n';
    const file = await pull('  - id: "2"\n', `${added}    mandatory: false\n${FIELD}  - id: "2"\n`);
    const theirs = await pull('fieldName: Car', 'fieldName: Vehicle');
    expect((await config(['publish', clientId, theirs, '-m', 'Theirs', '--yes'])).code).toBe(0);
    const words = ['publish', clientId, file, '-m', 'Mine', '--yes'];
    const merged = await config([...words, '--merge']);
    expect(merged).toMatchObject({ code: 0, stdout: `${clientId}@4\n` });
    const text = await readFile(file, 'utf8');
    expect(text).toContain(added.replace('fieldType', 'id: "4"\n    fieldType'));
    const pulled = await config(['pull', clientId, '--json']);
    expect(parse(text)).toEqual(JSON.parse(pulled.stdout));

    // A name of its own would hide that it is the same field.
    await writeFile(file, text.replace('Allergies', 'Intolerances'));
    expect(await config([...words, '--merge'])).toMatchObject({
      code: 0,
      stdout: `${clientId}@5\n`,
    });
    const { fields } = JSON.parse(await served()).data;
    expect(fields.map(({ id, fieldName }: Record<string, string>) => [id, fieldName])).toEqual([
      ...[
        ['1', 'Favourite pizza'],
        ['4', 'Intolerances'],
        ['2', 'Membership number'],
      ],
      ['3', 'Vehicle'],
    ]);
  });

  test('have it there too if every change of the file is live already', async () => {
    const { clientId, pull, publish } = await client();
    await publish();
    const [one, same] = [await pull('Car', 'Vehicle'), await pull('Car', 'Car')];
    await config(['publish', clientId, one, '-m', 'Name', '--yes']);
    const before = await readFile(same, 'utf8');
    const words = ['publish', clientId, same, '-m', 'Nothing', '--merge'];
    const nothing = `0 errors, 0 warnings.\nEvery change in ${same} is live already. Nothing was published.\n`;
    expect(await config([...words, '--dry-run'])).toEqual({ code: 0, stdout: '', stderr: nothing });
    expect(await readFile(same, 'utf8')).toBe(before);
    expect(await config([...words, '--yes'])).toEqual({
      ...{ code: 0, stdout: '' },
      stderr: `${nothing}${same} has the merged fields, the new base and ids. You can change it again.\n`,
    });
    expect(parse(await readFile(same, 'utf8'))).toEqual(parse(await readFile(one, 'utf8')));
  });

  test('lose nothing that is saved into the file while it is published', async () => {
    const next = 'my next change';
    for (const save of [writeFile, (file: string) => rm(file)]) {
      const { clientId, pull, publish } = await client();
      await publish();
      const [file, theirs] = [await pull('Make', 'Brand'), await pull('Favourite pizza', 'Pizza')];
      await config(['publish', clientId, theirs, '-m', 'Name', '--yes']);
      const typed = async () => {
        await save(file, next);
        return 'y\n';
      };
      const words = ['publish', clientId, file, '-m', 'Mine', '--merge'];
      const { code, stdout, stderr } = await config(words, { isTerminal: true, typed });
      expect({ code, stdout }).toEqual({ code: 1, stdout: `${clientId}@4\n` });
      expect(stderr).toContain(`\n${file} was not updated: `);
      expect(stderr).toMatch(
        / Pull the configuration into a new file .*\n[\s\S]*It is published\.\n$/,
      );
      const text = await readFile(file, 'utf8').catch(({ code: reason }) => reason);
      expect(text).toBe(save === writeFile ? next : 'ENOENT');
    }
  });

  test('publish nothing twice if the first time nobody knows whether it was published', async () => {
    const { clientId, pull, publish, served } = await client();
    await publish();
    const added = '  - fieldType: text\n    fieldName: Allergies\n    mandatory: false\n';
    const file = await pull('  - id: "2"\n', `${added}${FIELD}  - id: "2"\n`);
    const before = await readFile(file, 'utf8');
    const proxy = await FaultProxy.start();
    onTestFinished(() => close(proxy.server));
    proxy.target = service.outputs.DynamoDbEndpoint ?? '';
    proxy.faultOf = ({ operation }) =>
      operation === 'UpdateItem' ? 'connection reset, executed' : undefined;
    const outputs = join(service.folder, `${clientId}-faults.json`);
    const faulty = { ...service.outputs, DynamoDbEndpoint: proxy.url };
    await writeFile(outputs, JSON.stringify({ 'CustomerDataApi-dev': faulty }));
    const words = ['config', 'publish', clientId, file, '-m', 'Mine', '--yes', '--outputs'];
    const unknown = await customerData([...words, outputs]);
    expect({ code: unknown.code, stdout: unknown.stdout }).toEqual({ code: 4, stdout: '' });
    expect(unknown.stderr).toMatch(
      /^Whether it was published is not known: .*\nBefore you change the file, run .* --merge.*\n$/m,
    );
    expect(await readFile(file, 'utf8')).toBe(before);
    const live = await served();
    expect(live).toContain('Allergies');

    expect(await customerData([...words, service.outputsFile])).toMatchObject({ code: 3 });
    const again = await customerData([...words, service.outputsFile, '--merge']);
    expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 0, stdout: '' });
    expect(await served()).toBe(live);
    const pulled = await config(['pull', clientId, '--json']);
    expect(parse(await readFile(file, 'utf8'))).toEqual(JSON.parse(pulled.stdout));
  });

  test('cannot merge what both changed', async () => {
    const { clientId, pull, publish, served } = await client();
    await publish();
    const [one, other] = [
      await pull('Favourite pizza', 'Pizza'),
      await pull('Favourite pizza', 'Best pizza'),
    ];
    await config(['publish', clientId, one, '-m', 'Shorter', '--yes']);
    const before = await served();
    const words = ['publish', clientId, other, '-m', 'Longer', '--yes', '--merge'];
    const { code, stderr } = await config(words);
    expect(code).toBe(3);
    expect(stderr.split('\n').slice(3)).toEqual([
      '    Favourite pizza is now called Pizza.',
      'It cannot be merged: both sides changed Favourite pizza.',
      `customer-data config diff ${clientId}@2 ${clientId}@3 shows the lines.`,
      'Pull the configuration into a new file, and make your change there.',
      '',
    ]);
    expect(await served()).toBe(before);
  });

  test('are told what is doubtful about both changes together', async () => {
    const { clientId, pull, publish } = await client();
    await publish();
    const [one, other] = [await pull('Favourite pizza', 'Vehicle'), await pull('Car', 'Vehicle')];
    await config(['publish', clientId, one, '-m', 'One', '--yes']);
    const words = ['publish', clientId, other, '-m', 'Other', '--merge'];
    const { code, stderr } = await config(words, { isTerminal: true, typed: 'n\n' });
    expect(code).toBe(1);
    expect(stderr).toContain(
      `\n${other}, merged: warning: fields[2].fieldName: is already the caption of fields[0].\n${other}, merged: 0 errors, 1 warning.\n`,
    );
  });

  test('one publishes while the other is asked: that is a conflict, which says how to go on', async () => {
    const { clientId, pull, publish, served } = await client();
    await publish();
    const [mine, theirs] = [await pull('Car', 'Vehicle'), await pull('Favourite pizza', 'Pizza')];
    const asked = (words: readonly string[], theirWords: readonly string[]) =>
      config([...words, '-m', 'Mine'], {
        isTerminal: true,
        typed: async () => {
          expect((await config([...theirWords, '-m', 'Theirs', '--yes'])).code).toBe(0);
          return `y\n`;
        },
      });
    const published = await asked(
      ['publish', clientId, mine],
      ['publish', clientId, theirs, '--json'],
    );
    expect({ code: published.code, stdout: published.stdout }).toEqual({ code: 3, stdout: '' });
    expect(published.stderr).toMatch(
      /\nIf that is about other fields, --merge keeps both .*\n.*\n$/,
    );
    expect(await served()).toContain('"fieldName":"Pizza"');
    const rolledBack = await asked(['rollback', `${clientId}@2`], ['rollback', `${clientId}@1`]);
    expect({ code: rolledBack.code, stdout: rolledBack.stdout }).toEqual({ code: 3, stdout: '' });
    expect(rolledBack.stderr).toMatch(
      /\nRun the command again to see what it would change now\.\n$/,
    );
    expect(JSON.parse(await served()).data.fields).toEqual([]);
  });

  test('a file that was pulled from elsewhere is not merged, and its owner is told why', async () => {
    const [{ clientId, publish }, another] = [await client(), await client()];
    await publish();
    await service.putConfig({ clientId: another.clientId, fields: [], lastFieldId: 7 });
    const { clientId: other } = another;
    const file = await another.pull(`clientId: ${other}`, `clientId: ${clientId}`);
    const words = ['publish', clientId, file, '-m', 'Other', '--yes', '--merge'];
    const { code, stderr } = await config(words);
    expect(code).toBe(3);
    expect(stderr.split('\n').slice(1)).toEqual([
      `The draft is based on no recorded version of ${clientId}, so nothing was published.`,
      'It was pulled from another client or deployment, or it is older than the history.',
      expect.stringMatching(
        `^What apps get is ${clientId}@2 at \\S+, published by .*: First fields$`,
      ),
      'Pull the configuration into a new file, and make your change there.',
      '',
    ]);
  });

  test('a manual edit is not overwritten either, and is reported as one', async () => {
    const { clientId, pull, publish, served } = await client();
    await publish();
    const file = await pull('Favourite pizza', 'Pizza');
    await service.putConfig({ clientId, appIds: [`${clientId}-key`], fields: [], lastFieldId: 3 });
    const before = await served();
    const { code, stderr } = await config(['publish', clientId, file, '-m', 'Shorter', '--yes']);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /@3 at \S+, edited outside the tools\n {4}Favourite pizza is removed: customers keep values that no app shows\.\n/,
    );
    expect(await served()).toBe(before);
  });

  test('each change since the pull is told, the newest first, and in a bounded number of lines', async () => {
    const { clientId, pull, publish } = await client();
    await publish();
    const file = await pull('Favourite pizza', 'Pizza');
    const { fields } = parse(await readFile(file, 'utf8'));
    const put = (name: string, ...others: unknown[]) =>
      service.putConfig({
        ...{ clientId, appIds: [`${clientId}-key`], lastFieldId: 15 },
        fields: [{ ...fields[0], fieldName: name }, ...fields.slice(1), ...others],
      });
    for (const name of ['A', 'B', 'C', 'D', 'E']) await put(name);
    const texts = Array.from({ length: 12 }, (_, index) => ({
      ...{ id: String(index + 4), fieldType: 'text', fieldName: `${index} ${'x'.repeat(400)}` },
      ...{ mandatory: false, appUIs: ['profile'], allowMultiple: false, subFieldA: TEXT },
    }));
    await put('F', ...texts);
    const { code, stderr } = await config(['publish', clientId, file, '-m', 'Shorter', '--yes']);
    expect(code).toBe(3);
    const told = stderr.split('\n').slice(2);
    expect(told[0]).toMatch(/@8 at \S+, edited outside the tools$/);
    // Ten sentences in all, each on one line of limited length.
    const first = Array.from({ length: 10 }, (_, index) =>
      expect.stringMatching(`^ {4}${index} x{290,294}…$`),
    );
    expect(told.slice(1, 11)).toEqual(first);
    expect(told.slice(11)).toEqual([
      '    3 more changes',
      expect.stringContaining('@7 at '),
      '    1 more change',
      expect.stringContaining('@6 at '),
      '    1 more change',
      expect.stringContaining('@5 at '),
      '    1 more change',
      expect.stringContaining('@4 at '),
      '    1 more change',
      '  and 1 earlier change',
      `customer-data config diff ${clientId}@2 ${clientId}@8 shows the lines.`,
      'If that is about other fields, --merge keeps both changes.',
      'Otherwise, pull the configuration into a new file, and make your change there.',
      '',
    ]);
  });

  test('a file without a base is for a client without fields only', async () => {
    const { file, publish, served } = await client();
    const text = await readFile(file, 'utf8');
    await publish();
    await writeFile(file, text);
    const before = await served();
    const { code, stderr } = await publish();
    expect(code).toBe(3);
    expect(stderr).toContain('the draft has no base');
    expect(stderr).toMatch(
      /\nPull the configuration into a new file, and make your change there\.\n$/,
    );
    expect(await served()).toBe(before);
  });
});

describe('versions', () => {
  test('history lists them, whoever made them, the newest first', async () => {
    const { clientId, pull, publish } = await client();
    await publish();
    await service.putConfig({ clientId, appIds: ['another-key'], feilds: [], lastFieldId: 3 });
    const file = await pull('feilds: []', 'fields: []');
    await config(['publish', clientId, file, '-m', 'Repair\u001b[2J', '--yes']);
    const { code, stdout, stderr } = await config(['history', clientId]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const who = userInfo().username.padEnd(16);
    const lines = stdout.replaceAll(/20\d\d-[-0-9T:]+Z/g, '<the time in UTC>   ').split('\n');
    const width = `${clientId}@999`.length;
    expect(lines.map((line) => line.slice(0, width).trimEnd())).toEqual([
      ...['VERSION', `${clientId}@4`, `${clientId}@3`, `${clientId}@2`, `${clientId}@1`, ''],
    ]);
    expect(lines.map((line) => line.slice(width))).toEqual([
      '  WHEN                  SOURCE     PROBLEMS  WHO               MESSAGE',
      `  <the time in UTC>     published         0  ${who}  Repair\\u001b[2J`,
      expect.stringMatching(
        /^ {2}<the time in UTC> {5}outside {11}2 {2}- {17}key \w{8} removed; key \w{8} added$/,
      ),
      `  <the time in UTC>     published         0  ${who}  First fields`,
      '  <the time in UTC>     outside           0  -',
      '',
    ]);
    const { stdout: json } = await config(['history', clientId, '--json']);
    const versions = json
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(versions.map(({ version, source }) => [version, source])).toEqual([
      [4, 'published'],
      [3, 'outside'],
      [2, 'published'],
      [1, 'outside'],
    ]);
  });

  test('in a pipe, lines are whole and without colours, also while messages go to a terminal', async () => {
    const { clientId, publish } = await client();
    await publish(['-m', 'A message that is longer than the terminal of the operator is wide']);
    for (const words of [
      ['history', clientId],
      ['diff', `${clientId}@1`, `${clientId}@2`],
    ]) {
      const { stdout } = await config(words);
      const terminal = { isTerminal: true, columns: 40 };
      expect((await config(words, { ...terminal, isPiped: true })).stdout).toBe(stdout);
      expect((await config(words, terminal)).stdout).not.toBe(stdout);
    }
  });

  test('history, clients show, doctor and config check count the same', async () => {
    const { clientId } = await client();
    const field = {
      ...{ id: '1', fieldType: 'text', fieldName: 'A', mandatory: true, appUIs: ['Profile'] },
      ...{ allowMultiple: false, note: 'ours', subFieldB: {}, mnadatory: 1 },
      subFieldA: { ...TEXT, maxChars: 2 ** 31, options: '' },
    };
    const unserved = { ...field, id: '2', fieldName: 'A', subFieldA: { ...TEXT, maxChars: 0 } };
    const userPoolClientIds = [service.outputs.UserPoolClientId];
    const item = { clientId, appIds: ['key'], userPoolClientIds, lastFieldId: 1 };
    await service.putConfig({ ...item, fields: [field, unserved] });
    const file = join(service.folder, `${clientId}-counted.yaml`);
    await config(['pull', clientId, file]);
    const { stdout: checked } = await customerData(['config', 'check', file, '--json']);
    const findings = checked
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const severities = findings.map(({ severity }) => severity);
    expect(severities).toEqual([...Array(5).fill('error'), ...Array(5).fill('warning')]);
    const target = ['--outputs', service.outputsFile];
    const shown = await customerData(['clients', 'show', clientId, '--json', ...target]);
    expect(JSON.parse(shown.stdout).findings).toHaveLength(findings.length);
    const doctor = await customerData(['doctor', ...target], { isTerminal: true, columns: 200 });
    expect(doctor.stdout).toContain(`${clientId} has 5 errors. See clients show ${clientId}.`);
    await vi.waitFor(async () => {
      const { stdout } = await config(['history', clientId, '--json']);
      expect(JSON.parse(stdout.split('\n')[0] ?? '').problems).toBe(findings.length);
    }, 10_000);
  });

  test('show prints one, and diff compares two', async () => {
    const { clientId, pull, publish } = await client();
    await publish();
    const file = await pull('mandatory: true', 'mandatory: false');
    await config(['publish', clientId, file, '-m', 'Optional', '--yes']);
    const { stdout } = await config(['show', `${clientId}@2`]);
    expect(stdout).toMatch(/^clientId: \S+\nbase: \w{64}\nlastFieldId: 3\nfields:\n/);
    expect(stdout).toContain('mandatory: true');
    const { code, stdout: diff } = await config(['diff', `${clientId}@2`, `${clientId}@3`]);
    expect(code).toBe(1);
    expect(diff.split('\n').slice(0, 4)).toEqual([
      'Membership number becomes optional.',
      '',
      `--- ${clientId}@2`,
      `+++ ${clientId}@3`,
    ]);
    const sides = (one: string, other: string) => config(['diff', one, other]);
    const equal = { code: 0, stdout: '', stderr: 'The configurations are equal.\n' };
    for (const [one, other] of [
      [clientId, `${clientId}@3`],
      [`${clientId}@3`, clientId],
      [clientId, clientId],
      [file, `${clientId}@3`],
      [clientId, file],
      [file, file],
    ] as const) {
      expect(await sides(one, other)).toEqual(equal);
    }
    const back = await sides(file, `${clientId}@2`);
    expect(back.stdout).toMatch(/^Membership number becomes mandatory\.\n/);
    for (const [name, message] of [
      ['nobody', 'nobody is neither a client, nor a version such as demo@3, nor a file.\n'],
      ['nothing.yaml', expect.stringMatching(/^The configuration cannot be read: .*nothing\.yaml/)],
    ] as const) {
      expect(await sides(clientId, name)).toMatchObject({ stdout: '', stderr: message });
      expect(await sides(name, clientId)).toMatchObject({ stdout: '', stderr: message });
    }
    expect(await config(['show', `${clientId}@9`])).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no ${clientId}@9. customer-data config history ${clientId} lists the versions.\n`,
    });
    expect((await config(['show', clientId])).code).toBe(2);
  });

  test('every command closes its connections', async () => {
    const { clientId, file, publish } = await client();
    await publish();
    const destroy = vi.spyOn(DynamoDBClient.prototype, 'destroy');
    onTestFinished(() => destroy.mockRestore());
    for (const args of [
      ['config', 'pull', clientId],
      ['config', 'diff', clientId, clientId],
      ['config', 'history', clientId],
      ['config', 'show', `${clientId}@2`],
      ['config', 'publish', clientId, file, '--dry-run'],
      ['config', 'rollback', `${clientId}@1`, '--dry-run'],
      ['preview', clientId],
    ]) {
      destroy.mockClear();
      const { code } = await customerData([...args, '--outputs', service.outputsFile]);
      expect({ args, code }).toEqual({ args, code: 0 });
      expect(destroy, args.join(' ')).toHaveBeenCalledOnce();
    }
  });

  test('a rollback restores, byte for byte, what apps got, and neither keys nor ids', async () => {
    const { clientId, pull, publish, served } = await client();
    await publish();
    const before = await served();
    const file = await pull('lastFieldId: 3', 'lastFieldId: 5');
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text.replace('Funghi', 'Mushrooms').replace('maxChars: 8', 'maxChars: 7'),
    );
    await config(['publish', clientId, file, '-m', 'Mistake', '--yes']);
    expect(await served()).not.toBe(before);
    const { code, stdout, stderr } = await config([
      'rollback',
      `${clientId}@2`,
      '-m',
      'Undo',
      '--yes',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ version: 4, restores: 2, message: 'Undo' });
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      `${clientId}@2: 0 errors, 0 warnings.`,
      'Favourite pizza: option Mushrooms is now called Funghi.',
    ]);
    expect(await served()).toBe(before.replace('"lastFieldId":3', '"lastFieldId":5'));
  });

  test('a rollback leaves a misspelled attribute of the item, and does not blame the version for it', async () => {
    const { clientId, publish, pull } = await client();
    await publish();
    const item = await stored(clientId);
    const { fields, ...others } = unmarshall(item);
    await service.putConfig({ ...others, feilds: fields });
    const { code, stderr } = await config(['rollback', `${clientId}@2`, '-m', 'Undo', '--yes']);
    expect(code).toBe(0);
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      `${clientId}@2: 0 errors, 0 warnings.`,
      expect.stringMatching(
        `^${clientId}: error: feilds: .*; fields is\\. It stays in the item\\. `,
      ),
    ]);
    // As it says.
    const file = await pull('feilds:', 'nothing:');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.slice(0, text.indexOf('nothing:')));
    await config(['publish', clientId, file, '-m', 'Correct', '--yes']);
    expect(await stored(clientId)).not.toHaveProperty('feilds');
    expect((await stored(clientId)).fields).toEqual(item.fields);
  });

  test('a rollback brings back a version that is worse only if that is confirmed', async () => {
    const { clientId, publish, served } = await client();
    await service.putConfig({
      clientId,
      appIds: [`${clientId}-key`],
      fields: [{}],
      lastFieldId: 0,
    });
    await service.putConfig({ clientId, appIds: [`${clientId}-key`], lastFieldId: 0 });
    await publish();
    const before = await served();
    const rollback = (version: number, surroundings?: Surroundings) =>
      config(['rollback', `${clientId}@${version}`, '-m', 'Undo'], surroundings);
    const refused = await rollback(2, { isTerminal: true, typed: 'y\n' });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^\S+@2: error: fields\[0\]\.fieldType: is missing.*\n\S+@2: 1 error, 0 warnings\.\n/,
    );
    expect(refused.stderr).toMatch(
      new RegExp(
        `\n3 of 3 fields are removed\\.\nIt has 1 error, and what apps get now has no errors\\.\n.* Type ${clientId} to confirm: `,
      ),
    );
    expect(await rollback(3, { isTerminal: true })).toMatchObject({
      code: 1,
      stderr: `${clientId}@3 has no fields that could be brought back.\nNothing was published.\n`,
    });
    expect(await served()).toBe(before);
    const agreed = await rollback(2, { isTerminal: true, typed: `${clientId}\n` });
    expect(agreed).toMatchObject({ code: 0, stdout: `${clientId}@5\n` });
  });
});

import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, expect, test, vi } from 'vitest';
import { type ChangeOptions, makeChange } from '../../../../cli/config/change.ts';
import { Outcome } from '../../../../cli/config/outcome.ts';
import type { PlannedChange } from '../../../../core/configuration/plan-change.ts';
import { CommandError, UsageError } from '../../../../core/platform/command-error.ts';
import { OUTPUTS } from '../../../support/outputs.ts';

afterEach(() => vi.restoreAllMocks());

/** A plan that gives the client `pizza` these fields instead of none. */
function planOf(fields: readonly object[], more: Partial<PlannedChange> = {}): PlannedChange {
  const { L = [] } = marshall({ fields }).fields ?? {};
  const content = { fields: { L: [] }, lastFieldId: { N: '0' } };
  return {
    before: { clientId: 'pizza', content },
    after: { fields: { L }, lastFieldId: { N: '1' } },
    ...more,
  };
}

/** Makes a change while no version is recorded. Its steps are the calls of DynamoDB, and `onLive`. */
async function make(plan: PlannedChange, options: ChangeOptions) {
  const steps: string[] = [];
  const send = async (command: object) => {
    steps.push(command.constructor.name);
    return {};
  };
  const tables = {
    dynamodb: { send } as unknown as DynamoDBClient,
    ...{ tableName: 'Versions', configsTableName: 'Configs' },
  };
  const deployment = {
    ...{ stackName: 'CustomerDataApi-dev', outputsFile: undefined, options: '--local' },
    ...{ isProduction: false, requiresUserPoolClientIds: false },
    // The local server, where the author is the user of this machine.
    outputs: { ...OUTPUTS, JwksUri: 'http://127.0.0.1:1' },
  };
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const outcome = new Outcome('pizza');
  const onLive = async () => {
    // As a file takes a while to be written.
    await setImmediate();
    steps.push('onLive');
  };
  const change = { plan, name: 'pizza.yaml', outcome, onLive };
  const error = await makeChange({ stdin, stdout, stderr }, deployment, tables, change, options)
    .then(() => undefined)
    .catch((reason: Error) => reason);
  const read = (stream: PassThrough) => String(stream.read() ?? '');
  return { error, steps, outcome: String(outcome), data: read(stdout), notes: read(stderr) };
}

const TEXT = {
  ...{ subType: 'text', allowCopies: true, alpha: true, numbers: true, symbols: true, maxChars: 8 },
};
const FIELD = {
  ...{ id: '1', fieldType: 'combo', fieldName: 'Car', mandatory: false },
  ...{ subFieldA: TEXT, subFieldB: { ...TEXT, maxChars: 9 } },
};
const WORSE = planOf([{ ...FIELD, fieldType: 'cmobo' }]);

test.each<[string, ChangeOptions]>([
  ['a dry run', { dryRun: true }],
  ['a change that is confirmed', { yes: true, message: 'Worse' }],
])('%s is refused if apps would get less of the configuration than now', async (_, options) => {
  const { error, ...others } = await make(WORSE, options);
  expect(error).toBeInstanceOf(CommandError);
  expect(error?.message).toBe('It has 1 error, and what apps get now has no errors.');
  expect(others).toMatchObject({ steps: [], data: '', notes: '' });
});

test('a dry run shows the change beside the data, and neither asks nor sends anything', async () => {
  const { error, steps, data, notes } = await make(planOf([FIELD]), { dryRun: true });
  expect({ error, steps, data }).toEqual({ error: undefined, steps: [], data: '' });
  expect(notes).toMatch(/^Car is added as number 1: combo, optional\.\n.*\n\n--- pizza\n/s);
  expect(notes).toMatch(/\nNothing was changed: this was a dry run\.\n$/);
});

test.each<[string, PlannedChange, string[]]>([
  ['a file, whose findings are known', planOf([FIELD]), []],
  [
    'a merge',
    planOf([FIELD], { mergedWith: [] }),
    ['Merged with what changed meanwhile:', 'pizza.yaml, merged: 0 errors, 0 warnings.'],
  ],
  ['a rollback', planOf([FIELD], { restores: 7 }), ['pizza.yaml: 0 errors, 0 warnings.']],
])('%s: its findings are shown before its differences', async (_, plan, lines) => {
  const { notes } = await make(plan, { dryRun: true });
  expect(notes.split('\n').slice(0, lines.length + 1)).toEqual([
    ...lines,
    'Car is added as number 1: combo, optional.',
  ]);
});

test('of several findings, errors are shown first', async () => {
  const wrong = { ...FIELD, id: '2', fieldType: 'cmobo' };
  const lastFieldId = { N: '2' };
  const content = { after: { ...planOf([{ ...FIELD, fieldName: '' }, wrong]).after, lastFieldId } };
  const plan = planOf([], { ...content, restores: 7 });
  const { notes } = await make(plan, { dryRun: true });
  expect(notes.split('\n').slice(0, 3)).toEqual([
    expect.stringMatching(/^pizza\.yaml: error: fields\[1\]\.fieldType: /),
    expect.stringMatching(/^pizza\.yaml: warning: fields\[0\]\.fieldName: /),
    'pizza.yaml: 1 error, 1 warning.',
  ]);
});

test('a dry run shows why the change would not be confirmed by a yes', async () => {
  const { before, after } = planOf([FIELD]);
  const emptied = { before: { ...before, content: after }, after: before.content };
  const { notes } = await make({ ...planOf([]), ...emptied } as PlannedChange, { dryRun: true });
  expect(notes).toMatch(
    /\n1 of 1 field is removed\.\nNothing was changed: this was a dry run\.\n$/,
  );
});

test('nothing is sent if nobody can be asked', async () => {
  const { error, steps } = await make(planOf([FIELD]), { message: 'First' });
  expect(error).toBeInstanceOf(UsageError);
  expect(steps).toEqual([]);
});

test('a file gets its new base before the version is waited for, which may be in vain', async () => {
  let now = 0;
  // Each look at the clock is 20 seconds after the one before.
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 20_000;
    return now;
  });
  const { error, steps, outcome, data } = await make(planOf([FIELD]), { yes: true, message: 'A' });
  expect(steps.slice(0, 3)).toEqual(['UpdateItemCommand', 'onLive', 'QueryCommand']);
  expect(error).toBeInstanceOf(CommandError);
  expect(error?.message).toBe(
    'The version was not recorded within half a minute. Look for it with customer-data config history pizza.',
  );
  expect({ outcome, data }).toEqual({ outcome: 'It is published.', data: '' });
});

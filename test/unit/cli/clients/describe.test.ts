import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  describeClient as describedLines,
  describeFinding,
  linesOf,
} from '../../../../cli/clients/describe.ts';
import { type Output, rendered } from '../../../../cli/terminal.ts';
import type { ClientSummary } from '../../../../core/clients/client-summary.ts';

const CLIENT: ClientSummary = {
  clientId: 'pizza',
  keys: ['0a1b2c3d', '4e5f6071'],
  userPoolClientIds: ['app'],
  admitsNobody: false,
  fields: 1,
  lastFieldId: 7,
  findings: [],
  lastChange: undefined,
};
const finding = (severity: 'error' | 'warning') => ({
  ...({ severity, code: 'empty', path: ['fields', 0], message: 'x' } as const),
});

const pipe = () => new PassThrough();
const terminal = (columns: number) => Object.assign(new PassThrough(), { isTTY: true, columns });

/** A client in a list, as a stream shows it. */
const lineOf = (client: ClientSummary, stream: Output) =>
  linesOf(client, stream)
    .map((line) => rendered(line, stream))
    .join('\n');
/** A client in several lines, as a stream shows them. */
const describeClient = (client: ClientSummary, stream: Output) =>
  describedLines(client, stream).map((line) => rendered(line, stream));

/** All that can be wrong with a client at once. */
const WORST: ClientSummary = {
  ...CLIENT,
  ...{ keys: [], admitsNobody: true, userPoolClientIds: undefined },
  findings: [finding('error'), finding('error'), finding('warning')],
};

describe('a client in a list', () => {
  test('has its remarks, the worst first, and none for warnings', () => {
    expect(lineOf({ ...CLIENT, findings: [finding('warning')] }, pipe())).toBe(
      'pizza                       1 field  2 keys',
    );
    expect(lineOf(WORST, pipe())).toBe(
      'pizza                       1 field  0 keys admits nobody, 2 errors, any app client',
    );
  });

  test('is in one line as long as that fits, whatever its colours', () => {
    const { length } = lineOf(WORST, pipe());
    expect(lineOf(WORST, terminal(length))).toContain('\x1b[31madmits nobody\x1b[39m');
    expect(stripVTControlCharacters(lineOf(WORST, terminal(length)))).toBe(lineOf(WORST, pipe()));
    expect(stripVTControlCharacters(lineOf(WORST, terminal(length - 1)))).toBe(
      'pizza                       1 field  0 keys\n    admits nobody, 2 errors, any app client',
    );
  });
});

describe('a client in several lines', () => {
  test('has all that is known of it', () => {
    const lastChange = { id: 'id', at: '2026-11-21T23:56:10Z', by: 'jane', message: 'Created' };
    const findings = [finding('error'), finding('warning'), finding('warning')];
    expect(describeClient({ ...CLIENT, findings, lastChange }, pipe())).toEqual([
      'Client pizza',
      '  keys         0a1b2c3d, 4e5f6071',
      '  app clients  app',
      '  fields       1, lastFieldId 7',
      '  findings     1 error, 2 warnings',
      '  last command 2026-11-21T23:56:10Z by jane: Created',
    ]);
  });

  test('says what it lacks', () => {
    const empty = { ...CLIENT, keys: [], userPoolClientIds: [], lastFieldId: undefined };
    expect(describeClient({ ...empty, admitsNobody: true }, pipe())).toEqual([
      'Client pizza: admits nobody',
      '  keys         none',
      '  app clients  none',
      '  fields       1, lastFieldId missing',
      '  findings     0 errors, 0 warnings',
      '  last command none',
    ]);
    expect(describeClient(WORST, pipe())[2]).toBe(
      '  app clients  any: tokens of the other clients are accepted too',
    );
  });

  test('continues a long row below its text', () => {
    const keys = ['0a1b2c3d', '4e5f6071', '8a9b0c1d'];
    expect(describeClient({ ...CLIENT, keys }, terminal(40)).slice(1, 3)).toEqual([
      '  keys         0a1b2c3d, 4e5f6071,',
      '               8a9b0c1d',
    ]);
  });

  test('shows a number that is stored as text as such', () => {
    expect(describeClient({ ...CLIENT, lastFieldId: '7' }, pipe())[3]).toBe(
      '  fields       1, lastFieldId "7"',
    );
  });
});

test('what others wrote cannot move the cursor', () => {
  const clientId = 'pi\u001b[2Jzza';
  const lastChange = { id: 'id', at: '\u001b1', by: '\u001b2', message: '\u001b3' };
  const client = { ...CLIENT, clientId, userPoolClientIds: ['\u001b4'], lastChange };
  const lines = [lineOf(client, pipe()), ...describeClient(client, pipe())].join('\n');
  expect(lines).not.toContain('\u001b');
  for (const text of ['pi\\u001b[2Jzza', ...[1, 2, 3, 4].map((number) => `\\u001b${number}`)]) {
    expect(lines).toContain(text);
  }
});

test('a finding fits into the terminal, with its place first', () => {
  const message = 'is not an attribute that the service knows; fields is';
  expect(
    describeFinding({ severity: 'error', code: 'empty', path: ['feilds'], message }, terminal(40)),
  ).toEqual(['  error: feilds is not an attribute', '    that the service knows; fields is.']);
  expect(
    describeFinding({ severity: 'error', code: 'empty', path: [], message: 'Wrong' }, pipe()),
  ).toEqual(['  error: Wrong.']);
});

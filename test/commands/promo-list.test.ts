import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customerData, type Surroundings } from '../support/command-line.ts';
import { PROMO_REQUEST, type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await apply('jane', 'A');
  await apply('jane', 'B');
  await apply('jane#1', 'A');
  await apply('joe', 'A');
  await apply('joe', '=1+1');
});
afterAll(() => service.stop());

async function apply(userId: string, promoCode: string): Promise<void> {
  const body = { ...PROMO_REQUEST, userId, promoCode };
  expect((await service.applyPromoCode({ token: { user: userId }, body })).status).toBe(200);
}

function list(...args: readonly string[]) {
  return on({}, ...args);
}

/** Lists on a terminal, for example. */
function on(surroundings: Surroundings, ...args: readonly string[]) {
  return customerData(['promo', 'list', ...args, '--outputs', service.outputsFile], surroundings);
}

/** The users and codes of the listed events. */
async function listed(...args: readonly string[]): Promise<string[]> {
  const { code, stdout } = await list(...args, '--json');
  expect(code).toBe(0);
  const events = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  return events.map(({ userId, promoCode }) => `${userId} ${promoCode}`).sort();
}

const ALL = ['jane A', 'jane B', 'jane#1 A', 'joe =1+1', 'joe A'];

describe('promo list', () => {
  test.each<[string[], string[]]>([
    [[], ALL],
    [
      ['--user', 'jane'],
      ['jane A', 'jane B'],
    ],
    [['--user', 'jane#1'], ['jane#1 A']],
    [
      ['--code', 'A'],
      ['jane A', 'jane#1 A', 'joe A'],
    ],
    [['--user', 'jane', '--code', 'A'], ['jane A']],
    [['--since', '1h'], ALL],
    [['--since', '2999-01-01'], []],
    [['--user', 'jan'], []],
  ])('%j lists %j', async (args, expected) => {
    expect(await listed('demo', ...args)).toEqual(expected);
  });

  test('prints a line for each event', async () => {
    const { stdout } = await list('demo', '--user', 'jane', '--code', 'A');
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}applied {3}A {11}jane\n$/);
  });

  test('prints CSV that a spreadsheet does not run', async () => {
    const { stdout } = await list('demo', '--user', 'joe', '--csv');
    const [headings, ...lines] = stdout.trimEnd().split('\n');
    expect(headings).toBe('receivedAt,kind,promoCode,userId,eventType,source,deviceId,requestDate');
    expect(lines.map((line) => line.split(',').slice(1, 4).join()).sort()).toEqual([
      "applied,'=1+1,joe",
      'applied,A,joe',
    ]);
  });

  test('never prints the token of a code', async () => {
    const promoCodeToken = 'a-secret-token';
    const body = { ...PROMO_REQUEST, userId: 'ann', promoCodeToken };
    await service.applyPromoCode({ token: { user: 'ann' }, body });
    for (const format of ['--json', '--csv']) {
      const { stdout } = await list('demo', '--user', 'ann', format);
      expect(stdout).toContain('ann');
      expect(stdout).not.toContain(promoCodeToken);
    }
  });

  test('cannot move the cursor of a terminal, whatever is stored', async () => {
    await service.documentClient.send(
      new PutCommand({
        TableName: service.outputs.PromoEventsTableName,
        Item: {
          ...{ clientId: 'acme', eventId: 'joe#\u001b[2A#applied', kind: 'applied' },
          ...{ promoCode: '\u001b[2A', userId: 'joe\u001b[2J', receivedAt: '2026-11-22T00:00:00Z' },
        },
      }),
    );
    const { stdout } = await list('acme');
    expect(stdout).toBe('2026-11-22T00:00:00Z      applied   \\u001b[2A        joe\\u001b[2J\n');
  });

  test('shows its progress on a terminal, unless the list itself is there', async () => {
    const shown = await on({ isTerminal: true }, 'demo');
    expect(shown.stderr).toBe('');
    const { stdout, stderr } = await on({ isTerminal: true, isPiped: true }, 'demo');
    expect(stdout).toBe(shown.stdout);
    // It is gone in the end.
    expect(stderr.split('\r\u001b[K')).toEqual(expect.arrayContaining(['Listed: 1', '']));
    expect(stderr).toMatch(/\[K$/);
  });

  test('prints its headings also of no events', async () => {
    const { code, stdout, stderr } = await list('demo', '--user', 'nobody', '--csv');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^receivedAt,kind,[^\n]*\n$/);
    expect(stderr).toMatch(/^No such promo event is stored\.\n/);
  });

  test('breaks its remarks where a terminal ends', async () => {
    const { stderr } = await on({ isTerminal: true }, 'demo', '--user', 'nobody');
    expect(stderr.trimEnd().split('\n')).toHaveLength(3);
    for (const line of stderr.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test.each([
    [['demo', '--since', 'yesterday'], /It must be a date, a time in UTC/],
    [['demo', '--csv', '--json'], /cannot be used with/],
    // Not those of all users.
    [['demo', '--user', ''], /It must have 1 to \d+ characters/],
  ])('%j is a mistake of usage', async (args, expected) => {
    const { code, stderr } = await list(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(expected);
  });
});

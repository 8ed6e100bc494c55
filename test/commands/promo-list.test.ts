import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customerData } from '../support/command-line.ts';
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
  return customerData(['promo', 'list', ...args, '--outputs', service.outputsFile]);
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

  test('says on the standard error that there are none', async () => {
    expect(await list('acme')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'There are no such promo events.\n',
    });
  });

  test.each([
    [['demo', '--since', 'yesterday'], /It must be a date, a time in UTC/],
    [['demo', '--csv', '--json'], /cannot be used with/],
  ])('%j is a mistake of usage', async (args, expected) => {
    const { code, stderr } = await list(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(expected);
  });
});

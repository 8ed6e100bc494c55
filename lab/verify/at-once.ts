import { loadavg } from 'node:os';
import { conditionalPut, createAdapter, getThenPut } from './adapters.ts';
import { startLocalService } from './local.ts';
import type { StoredItem, System } from './system.ts';

const ROUNDS = 100;
const CALLS = 20;
const ATTRIBUTES = { eventType: 'promo_applied', source: 'profile', deviceId: 'phone' };

interface Row {
  readonly name: string;
  readonly dates: number;
  readonly system: System;
}

/**
 * Sends each of many codes twenty times at once, and prints what was told and stored as a table.
 * This is judged by counting.
 */
export async function atOnce(cloudAssembly: string, print: (line: string) => void): Promise<void> {
  await using service = await startLocalService(cloudAssembly);
  const adapter = (name: string, write: typeof getThenPut) =>
    createAdapter(service.outputs.DynamoDbEndpoint, name, write);
  const client = await service.newClient(1);
  using reads = await adapter('get-then-put', getThenPut);
  using conditions = await adapter('conditional-put', conditionalPut);
  const rows: Row[] = [
    { name: 'this service', dates: CALLS, system: client },
    { name: 'this service', dates: 5, system: client },
    { name: 'this service', dates: 1, system: client },
    { name: 'get, then put', dates: CALLS, system: reads },
    { name: 'conditional put', dates: CALLS, system: conditions },
    { name: 'conditional put', dates: 1, system: conditions },
  ];
  print(
    '| system | sent | requests that applied the code | copies of it that were told otherwise | load |',
  );
  print('| --- | --- | --- | --- | --- |');
  for (const [index, row] of rows.entries()) print(await count(row, index));
}

/** Runs the rounds of a row of the table. */
async function count({ name, dates, system }: Row, index: number): Promise<string> {
  const [user = ''] = system.users;
  const now = Date.now();
  const applied: number[] = [];
  const denied: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const code = `R${index}-${round}`;
    const calls = Array.from({ length: CALLS }, (_, call) => ({
      ...ATTRIBUTES,
      user,
      code,
      date: new Date(now + (call % dates)).toISOString().replace(/0+Z$/, '1Z'),
    }));
    const outcomes = await Promise.all(calls.map((call) => system.apply(call)));
    const winners = new Set(
      calls.flatMap(({ date }, call) => (outcomes[call] === 'applied' ? [date] : [])),
    );
    applied.push(winners.size);
    const isDenied = (date: string, outcome = '') =>
      winners.has(date) && ['repeated', 'used'].includes(outcome);
    denied.push(calls.filter(({ date }, call) => isDenied(date, outcomes[call])).length);
  }
  await system.drain();
  const items = (await system.read()) as readonly StoredItem[];
  const stored = items.filter(
    ({ promoCode, kind }) => kind === 'applied' && promoCode.startsWith(`R${index}-`),
  );
  const sent =
    dates === 1
      ? `one request, ${CALLS} times`
      : dates === CALLS
        ? `${CALLS} requests`
        : `${dates} requests, ${CALLS / dates} times each`;
  const load = loadavg()[0]?.toFixed(1);
  return `| ${name} | ${sent} | ${range(applied)} | ${range(denied)} | ${load} |${stored.length === ROUNDS ? '' : ` ${stored.length} applications of ${ROUNDS} codes are stored`}`;
}

/** The least and the most of a round, and the mean if they differ. */
function range(counts: readonly number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (least === most) return String(least);
  const mean = counts.reduce((sum, one) => sum + one, 0) / counts.length;
  return `${least} to ${most}, ${mean.toFixed(1)} on average`;
}

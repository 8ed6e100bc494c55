import { setTimeout } from 'node:timers/promises';
import { vi } from 'vitest';
import type { Operation } from '../../functions/api/operation.ts';
import { type Datapoint, datapointsOf } from './embedded-metrics.ts';
import type { Service } from './service.ts';

/** A line of a function's log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** What a function logged: its log lines, and its metrics as CloudWatch reads them. */
export interface Logged {
  readonly lines: readonly LogLine[];
  readonly metrics: readonly Datapoint[];
}

/** The message of the line with the uses of keys. */
export const KEY_USES_MESSAGE = 'App-Ids were used';
/** In the log lines of the requests that mark an end, and in no others. */
const END = 'The header Request-Date is malformed';
const WAIT = { timeout: 60_000, interval: 5 };
const CLOCK_MS = 2;

/**
 * Collects what an operation logs during an action: all of it but the uses of keys, and nothing later.
 *
 * @param action sends no request with a malformed `Request-Date`.
 */
export async function loggedBy(
  service: Service,
  operation: Operation,
  action: () => Promise<unknown>,
): Promise<Logged> {
  const { lines, logged } = service.watchLog();
  const start = Date.now();
  await action();
  await setTimeout(CLOCK_MS);
  const end = Date.now();
  // A function writes its lines in order: once this request's line has arrived, the earlier ones have.
  await service.send(operation, { headers: { 'Request-Date': 'the end' } });
  await logged(END);
  // Metrics are on another stream, so they may come earlier or later. They have the time at which they were counted.
  const metrics = () =>
    lines()
      .filter((line) => line.startsWith('{"_aws"'))
      .flatMap((line) => datapointsOf(JSON.parse(line)));
  await vi.waitUntil(
    () =>
      metrics().some(
        ({ time, dimensions }) => time >= end && dimensions.service === operation.folder,
      ),
    WAIT,
  );
  const log = lines().filter((line) => !line.startsWith('{"_aws"'));
  await setTimeout(CLOCK_MS);
  return {
    lines: log
      .slice(
        0,
        log.findIndex((line) => line.includes(END)),
      )
      .map((line): LogLine => JSON.parse(line))
      // A test that edits a client makes other functions log as well. The uses of keys belong to no request: the first one after
      // a minute writes them.
      .filter(
        ({ service: folder, message }) =>
          folder === operation.folder && message !== KEY_USES_MESSAGE,
      ),
    metrics: metrics().filter(({ time }) => time >= start && time < end),
  };
}

/** The lines that an operation logs during an action, without its metrics. */
export async function logOf(
  service: Service,
  operation: Operation,
  action: () => Promise<unknown>,
): Promise<readonly LogLine[]> {
  const { lines } = await loggedBy(service, operation, action);
  return lines;
}

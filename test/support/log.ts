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

/** In the log lines of the requests that mark an end, and in no others. */
const END = 'The header Request-Date is malformed';

/**
 * Collects what an operation logs during an action: all of it, and nothing later.
 *
 * @param action sends no request with a malformed `Request-Date`.
 */
export async function loggedBy(
  service: Service,
  operation: Operation,
  action: () => Promise<unknown>,
): Promise<Logged> {
  const { lines, logged } = service.watchLog();
  await action();
  // A function writes its lines in order: once this request's line has arrived, the earlier ones have.
  await service.send(operation, { headers: { 'Request-Date': 'the end' } });
  await logged(END);
  const all = lines();
  const before = all.slice(
    0,
    all.findIndex((line) => line.includes(END)),
  );
  const read: LogLine[] = before.map((line) => JSON.parse(line));
  return {
    lines: read.filter((line) => !('_aws' in line)),
    metrics: read.flatMap(datapointsOf),
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

import type { Operation } from '../../functions/api/operation.ts';
import type { Service } from './service.ts';

/** A line of a function's log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** In the log lines of the requests that mark an end, and in no others. */
const END = 'The header Request-Date is malformed';

/**
 * Collects what an operation logs during an action: all of it, and nothing later.
 *
 * @param action sends no request with a malformed `Request-Date`.
 */
export async function logOf(
  service: Service,
  operation: Operation,
  action: () => Promise<unknown>,
): Promise<LogLine[]> {
  const { lines, logged } = service.watchLog();
  await action();
  // A function writes its lines in order: once this request's line has arrived, the earlier ones have.
  await service.send(operation, { headers: { 'Request-Date': 'the end' } });
  await logged(END);
  return lines()
    .filter((line) => !line.includes(END))
    .map((line) => JSON.parse(line));
}

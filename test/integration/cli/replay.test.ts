import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ReplayOptions, replay } from '../../../cli/queue/replay.ts';
import { type Harness, startHarness } from '../../support/queue-harness.ts';

/* Dead letters of the bus whose events nobody needs: what SQS and an interruption make of a run. */

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.stop());

async function run(options: Partial<ReplayOptions> = {}) {
  const printed: string[] = [];
  const PromoEventsBusDeadLetterQueueUrl = harness.outputs.PromoEventsDeadLetterQueueUrl;
  const error = await replay(
    { ...harness.outputs, PromoEventsBusDeadLetterQueueUrl },
    {
      publish: false,
      print: (line) => printed.push(line),
      note: (line) => printed.push(line),
      ...options,
    },
  ).then(
    () => undefined,
    (reason: Error) => reason,
  );
  return { printed, error };
}

const BODIES = Array.from({ length: 25 }, (_, index) => `letter ${index}`).sort();

test('a run that is interrupted reads no further batch, says so, and everything can be received again', async () => {
  await harness.send('dead-letters', ...BODIES);
  const interrupted = new AbortController();
  harness.before = async ({ operation }) => {
    if (operation === 'receive') interrupted.abort();
  };
  const { printed, error } = await run({ signal: interrupted.signal });
  expect(error).toMatchObject({
    ...{ exitCode: 1, message: 'Interrupted. Nothing is lost: run it again.' },
  });
  expect(harness.receives).toHaveLength(1);
  expect(printed.at(-1)).toBe('Dead letters: 10. Events that can be published: 0');
  expect(await harness.drain('dead-letters')).toEqual(BODIES);
});

test('a dead letter that SQS does not delete is not taken for removed, and can be received again', async () => {
  await harness.send('dead-letters', ...BODIES);
  const ids = (await run()).printed.flatMap((line) => /^Message (\S+):/.exec(line)?.[1] ?? []);
  expect(ids).toHaveLength(BODIES.length);
  let deletions = 0;
  harness.refuses = ({ operation }) => operation === 'delete' && deletions++ === 0;
  const { printed, error } = await run({ remove: ids.slice(0, 2) });
  expect(error).toMatchObject({
    exitCode: 1,
    message: 'SQS refused 1 message. InternalError: Try again. Nothing is lost: run it again.',
  });
  expect(printed.at(-1)).toBe('Removed without publishing: 1');
  expect(await harness.drain('dead-letters')).toHaveLength(BODIES.length - 1);
});

import { afterEach, expect, test, vi } from 'vitest';
import { runAwsCommand } from '../../../cli/aws-error.ts';

afterEach(() => vi.restoreAllMocks());

/** Runs a command that fails. */
async function run(error: Error) {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await runAwsCommand(() => Promise.reject(error));
  return {
    codes: exit.mock.calls.flat(),
    printed: write.mock.calls.map(([text]) => text).join(''),
  };
}

test('an error that has a code and no message is printed with its code', async () => {
  const error = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED', $metadata: {} });
  expect(await run(error)).toEqual({
    codes: [1],
    printed: 'The call to AWS failed. AggregateError: ECONNREFUSED\n',
  });
});

test('an error that is not of AWS is a defect, and keeps its stack', async () => {
  await expect(run(new TypeError('x is undefined'))).rejects.toThrow(TypeError);
});

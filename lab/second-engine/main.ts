/** Runs the tests that use a table with dynoxide instead of the embedded DynamoDB. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';
import { runProgram } from '../../packages/deployment/program/run-program.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const ENGINE = fileURLToPath(new URL('node_modules/@dynoxide/linux-x64/dynoxide', import.meta.url));

/**
 * The tests of what the service, the commands and the history do with the tables.
 *
 * Left out are the other tests of commands, which reach no table or only show what others do here
 * too; `npm start` and the documents, whose server always has the embedded DynamoDB; and `faults`,
 * which rely on its speed. The history is made of the engine's own records. Those of promo events
 * are derived from the writes: the engine does not mark an expiry.
 */
const TESTS = [
  'packages/operator/test/commands/processes.test.ts',
  'test/integration/api/',
  'packages/operator/test/integration/clients',
  'packages/operator/test/integration/configurations',
  'test/integration/core',
  'test/integration/functions/record-configuration-versions',
];

/** Files of these folders that expect nothing of a table. */
const WITHOUT_TABLES = [
  'test/integration/api/{cors,gateway}.test.ts',
  'test/integration/core/aws/aws-clients.test.ts',
  'test/integration/core/promo-events/promo-events-queue.test.ts',
];

/** What dynoxide does not emulate; see README.md. */
const LEFT_OUT = [
  'codes are found by user and code, with near matches',
  'the largest item that DynamoDB accepts is counted as such',
];

await runProgram(async () => {
  if (!existsSync(ENGINE)) {
    process.stdout.write('Left out: npm has dynoxide for Linux on x64 only.\n');
    return;
  }
  process.env.SECOND_ENGINE = ENGINE;
  // Vitest sets the exit code.
  const vitest = await startVitest('test', TESTS, {
    watch: false,
    root: PROJECT,
    cliExclude: WITHOUT_TABLES,
    testNamePattern: new RegExp(`^(?!.*(?:${LEFT_OUT.join('|')}))`),
  });
  await vitest.close();
});

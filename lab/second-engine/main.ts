/** Runs the tests that use a table with dynoxide instead of the embedded DynamoDB. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';
import { runProgram } from '../../packages/deployment/program/run-program.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const ENGINE = fileURLToPath(new URL('node_modules/@dynoxide/linux-x64/dynoxide', import.meta.url));

/**
 * The tests whose subject is a table: what is written under which condition, and in which order it
 * is read. What only begins or ends in a table, such as most calls of the API and all commands, is
 * left to the embedded DynamoDB. The history is made of the engine's own records. Those of promo
 * events are derived from the writes: the engine does not mark an expiry.
 */
const TESTS = [
  'packages/editor/test/integration/clients',
  'packages/editor/test/integration/configurations',
  'test/integration/api/apply-promo-code',
  'test/integration/api/configuration-history',
  'test/integration/api/promo-events-check',
  'test/integration/core/history',
  'test/integration/core/promo-events',
  'test/integration/functions/record-configuration-versions',
];

/** Files of these folders that expect nothing of a table. */
const WITHOUT_TABLES = [
  'packages/editor/test/integration/configurations/news.test.ts',
  'test/integration/core/promo-events/promo-events-queue.test.ts',
];

/** Folders of tests to run instead. */
const [, , ...selected] = process.argv;

await runProgram(async () => {
  if (!existsSync(ENGINE)) {
    process.stdout.write('Left out: npm has dynoxide for Linux on x64 only.\n');
    return;
  }
  process.env.SECOND_ENGINE = ENGINE;
  // Vitest sets the exit code.
  const vitest = await startVitest('test', selected.length > 0 ? selected : TESTS, {
    watch: false,
    root: PROJECT,
    cliExclude: WITHOUT_TABLES,
  });
  await vitest.close();
});

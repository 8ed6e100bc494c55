/**
 * Runs the tests that use a table with Amazon's DynamoDB Local instead of the embedded DynamoDB.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';
import { runProgram } from '../../../cli/exit-codes.ts';
import { UserError } from '../../../core/user-error.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The tests of what the service, the commands and the history do with the tables. The history comes
 * from the streams of DynamoDB Local.
 *
 * Left out are the other tests of commands, which reach no table or only show what others do here
 * too; `npm start` and the documents, whose server always has the embedded DynamoDB; and `faults`,
 * which rely on its speed. The records for the pipe are derived from the writes, as without
 * DynamoDB Local: tests of the event bus expect the event when the write is answered.
 */
const TESTS = [
  'test/commands/processes.test.ts',
  'test/integration/api',
  'test/integration/cli',
  'test/integration/core',
  'test/integration/functions/record-configuration-versions',
];

/** As `npm run test:edits` does. */
const EDITS = { CONFIGURATION_RUNS: '1000' };

await runProgram(async () => {
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.0:copy-dependencies';
  const mavenArgs = ['--quiet', '--batch-mode', copy, '-DoutputDirectory=jars'];
  const { status } = spawnSync('mvn', mavenArgs, { cwd: FOLDER, stdio: 'inherit' });
  if (status !== 0) throw new UserError('Maven cannot download DynamoDB Local.');
  const dynamodb = spawn('java', ['-Djava.library.path=jars', '-cp', 'jars/*', 'OnLoopback.java'], {
    cwd: FOLDER,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let endpoint: string | undefined;
  for await (const line of createInterface({ input: dynamodb.stdout })) {
    endpoint = /^http:.*/.exec(line)?.[0];
    if (endpoint) break;
  }
  // It would wait for somebody who reads what it prints.
  dynamodb.stdout.resume();
  if (!endpoint) throw new UserError('DynamoDB Local did not start. It needs JDK 17 or newer.');
  process.stdout.write(`DynamoDB Local is running at ${endpoint}\n`);
  Object.assign(process.env, { DYNAMODB_ENDPOINT: endpoint, ...EDITS });
  // Vitest sets the exit code.
  const vitest = await startVitest('test', TESTS, { watch: false, root: PROJECT });
  await vitest.close();
  // DynamoDB Local ends when its standard input closes.
  dynamodb.stdin.end();
});

/** Runs the tests that use a table with Amazon's DynamoDB Local instead of the embedded DynamoDB. */
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startVitest } from 'vitest/node';
import { CommandError, runCommand } from '../../../core/platform/command-error.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

/** The tests that use a table. */
const TESTS = [
  'test/commands/queue-commands.test.ts',
  'test/commands/replay.test.ts',
  'test/commands/smoke.test.ts',
  'test/integration/api',
  'test/integration/cli',
  'test/integration/core',
  'test/integration/local/conditions.test.ts',
  'test/integration/local/streams.test.ts',
];

await runCommand(async () => {
  await downloadJars();
  const dynamodb = spawn('java', ['-Djava.library.path=jars', '-cp', 'jars/*', 'OnLoopback.java'], {
    cwd: FOLDER,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const endpoint = await new Promise<string>((resolve, reject) => {
    createInterface({ input: dynamodb.stdout }).on('line', (line) => {
      if (line.startsWith('http://')) resolve(line);
    });
    dynamodb.once('error', reject).once('exit', () => reject(new Error('The process ended.')));
  }).catch((error) => {
    throw new CommandError(`DynamoDB Local did not start. It needs JDK 17 or newer. ${error}`);
  });
  process.stdout.write(`DynamoDB Local is running at ${endpoint}\n`);
  process.env.DYNAMODB_ENDPOINT = endpoint;
  // Vitest sets the exit code.
  const vitest = await startVitest('test', TESTS, { watch: false, root: PROJECT });
  await vitest.close();
  // DynamoDB Local ends when its standard input closes.
  dynamodb.stdin.end();
});

async function downloadJars(): Promise<void> {
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.0:copy-dependencies';
  try {
    const args = ['--quiet', '--batch-mode', copy, '-DoutputDirectory=jars'];
    await promisify(execFile)('mvn', args, { cwd: FOLDER });
  } catch (error) {
    const { stdout, message } = error as Error & { stdout?: string };
    throw new CommandError(`Maven cannot download DynamoDB Local.\n${stdout || message}`);
  }
}

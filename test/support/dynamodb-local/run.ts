/** Runs the tests of the storage with Amazon's DynamoDB Local in place of the embedded engine. */
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startVitest } from 'vitest/node';
import { CommandError, runCommand } from '../../../core/platform/command-error.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

/** Those that write to a table. */
const TESTS = ['test/integration/api', 'test/integration/core', 'test/integration/cli'];

await runCommand(async () => {
  await fetchJars();
  const dynamodb = spawn('java', ['-Djava.library.path=jars', '-cp', 'jars/*', 'OnLoopback.java'], {
    cwd: FOLDER,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const endpoint = await new Promise<string>((resolve, reject) => {
    createInterface({ input: dynamodb.stdout }).on('line', (line) => {
      if (line.startsWith('http://')) resolve(line);
    });
    dynamodb.once('error', reject).once('exit', () => reject(new Error('It has ended.')));
  }).catch((error) => {
    throw new CommandError(`DynamoDB Local does not start; it needs a JDK, 17 or newer. ${error}`);
  });
  process.stdout.write(`DynamoDB Local is running at ${endpoint}\n`);
  process.env.DYNAMODB_ENDPOINT = endpoint;
  // It sets the exit code.
  const vitest = await startVitest('test', TESTS, { watch: false, root: PROJECT });
  await vitest.close();
  // It ends with its standard input.
  dynamodb.stdin.end();
});

async function fetchJars(): Promise<void> {
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.0:copy-dependencies';
  try {
    const args = ['--quiet', '--batch-mode', copy, '-DoutputDirectory=jars'];
    await promisify(execFile)('mvn', args, { cwd: FOLDER });
  } catch (error) {
    const { stdout, message } = error as Error & { stdout?: string };
    throw new CommandError(`Maven cannot fetch DynamoDB Local.\n${stdout || message}`);
  }
}

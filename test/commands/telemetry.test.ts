import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { PROJECT } from '../support/processes.ts';

const CDK = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');

test('the command line of the CDK starts no sender of telemetry', async () => {
  const { CDK_DISABLE_CLI_TELEMETRY: _, ...env } = process.env;
  // If it sent something after all, nobody would receive it.
  const TELEMETRY_ENDPOINT = 'http://127.0.0.1:9/metrics';
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [CDK, 'context', '-vvv', '--no-notices'],
    { cwd: PROJECT, env: { ...env, TELEMETRY_ENDPOINT } },
  );
  const lines = (stdout + stderr).match(/.*Telemetry.*/g);
  expect(lines).toEqual([expect.stringContaining('Telemetry disabled')]);
});

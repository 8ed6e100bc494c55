import { devNull } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ministack } from './ministack.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The environment variables of the run: on AWS those of the caller, and on the emulator none that
 * could reach AWS.
 */
export function environmentOf(
  ministack: Pick<Ministack, 'url' | 'certificateFile'> | undefined,
): NodeJS.ProcessEnv {
  const path = [join(PROJECT, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  // The commands and the functions run on the project's own Node.
  const common = { ...process.env, PATH: path, CDK_DISABLE_CLI_TELEMETRY: 'true' };
  if (!ministack) return common;
  return {
    ...Object.fromEntries(Object.entries(common).filter(([name]) => !name.startsWith('AWS_'))),
    // Without real credentials no command could change anything, even if it reached AWS.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: process.env.AWS_REGION ?? 'us-east-1',
    AWS_ENDPOINT_URL: ministack.url,
    AWS_CA_BUNDLE: ministack.certificateFile,
    NODE_EXTRA_CA_CERTS: ministack.certificateFile,
  };
}

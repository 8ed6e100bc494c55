import { devNull } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../../core/platform/command-error.ts';
import { type Ministack, startMinistack } from './ministack.ts';

/** The target of the deployment, and the environment of its commands. */
export interface Environment {
  /** The URL of the emulator; undefined for AWS. */
  readonly endpoint: string | undefined;
  /** The environment variables of the commands. */
  readonly variables: NodeJS.ProcessEnv;
  /** The emulator that was started for this run. */
  readonly ministack: Ministack | undefined;
}

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const IS_AWS = /(^|\.)(amazonaws\.com(\.cn)?|api\.aws|amazonwebservices\.com\.cn)$/;

/**
 * Decides where to deploy: AWS on request, the emulator in `AWS_ENDPOINT_URL`, or else a MiniStack that it starts.
 *
 * @throws CommandError if `AWS_ENDPOINT_URL` is AWS and AWS was not requested, or if MiniStack cannot be started.
 */
export async function findEnvironment(reallyAws: boolean): Promise<Environment> {
  const path = [join(PROJECT, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  // The commands and the functions run on the project's own Node.
  const common = { ...process.env, PATH: path, CDK_DISABLE_CLI_TELEMETRY: 'true' };
  const given = process.env.AWS_ENDPOINT_URL;
  if (reallyAws) return { endpoint: undefined, variables: common, ministack: undefined };
  if (given && IS_AWS.test(new URL(given).hostname)) {
    throw new CommandError(
      `AWS_ENDPOINT_URL is ${given}, which is AWS. Unset it or add --really-aws.`,
    );
  }
  const ministack = given ? undefined : await startMinistack();
  const endpoint = given ?? ministack?.url;
  const variables = {
    ...withoutAws(common),
    // Without real credentials no command could change anything, even if it reached AWS.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: process.env.AWS_REGION ?? 'us-east-1',
    AWS_ENDPOINT_URL: endpoint,
    ...(ministack && {
      AWS_CA_BUNDLE: ministack.certificateFile,
      NODE_EXTRA_CA_CERTS: ministack.certificateFile,
    }),
  };
  return { endpoint, variables, ministack };
}

function withoutAws(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith('AWS_')));
}

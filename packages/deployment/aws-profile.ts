import { homedir } from 'node:os';
import { loadSharedConfigFiles } from '@smithy/core/config';
import { cloudFormationClient } from './aws-clients.ts';
import { forgetCredentials } from './aws-credentials.ts';
import { UsageError } from './program/user-error.ts';

/**
 * Lets all SDK clients of this process use a profile and a region. Without an option for the
 * profile, keys in the environment precede `AWS_PROFILE`, as in AWS's own tools; in the SDK, the
 * profile precedes the keys, so a command could change another account than the AWS CLI shows.
 * https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-quickstart.html#cli-configure-quickstart-precedence
 *
 * @throws UsageError if there is no such profile. The SDK would only say that there are no
 *   credentials.
 */
export async function chooseProfile(
  options: Readonly<Partial<Record<'profile' | 'region' | 'stack', string>>>,
): Promise<void> {
  const { profile, region, stack } = options;
  const { env } = process;
  forgetCredentials();
  expectHome();
  if (region !== undefined) env.AWS_REGION = region;
  if (profile !== undefined) {
    await expectProfile(profile);
    env.AWS_PROFILE = profile;
    // The SDK would warn of two sources of credentials.
    delete env.AWS_ACCESS_KEY_ID;
    delete env.AWS_SECRET_ACCESS_KEY;
    delete env.AWS_SESSION_TOKEN;
    return;
  }
  if (!env.AWS_PROFILE) return;
  if (!env.AWS_ACCESS_KEY_ID || !env.AWS_SECRET_ACCESS_KEY) {
    // Any other target may be the local server, which needs no profile.
    if (stack !== undefined) await expectProfile(env.AWS_PROFILE);
    return;
  }
  // Only the keys precede: the region is still that of the profile, if the environment has none.
  const found = await cloudFormationClient()
    .config.region()
    .catch(() => undefined);
  if (found !== undefined) env.AWS_REGION = found;
  delete env.AWS_PROFILE;
}

/**
 * The SDK looks for its files in the home directory, and fails without one. In a container, a user
 * id often has no entry in passwd; where `HOME` is missing too, it is what containers set.
 */
function expectHome(): void {
  try {
    homedir();
  } catch {
    process.env.HOME = '/';
  }
}

async function expectProfile(profile: string): Promise<void> {
  const { configFile, credentialsFile } = await loadSharedConfigFiles();
  const profiles = Object.keys({ ...configFile, ...credentialsFile });
  if (profiles.includes(profile)) return;
  throw new UsageError(
    `There is no AWS profile ${profile}. List yours with aws configure list-profiles.`,
  );
}

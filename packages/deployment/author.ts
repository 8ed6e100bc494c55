import { userInfo } from 'node:os';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { stsClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/**
 * Who makes a change: the ARN of the caller, or the user of this machine if the change is made on
 * the local server.
 */
export async function author({ outputs }: Deployment): Promise<string> {
  if (outputs.JwksUri !== undefined) return userInfo().username;
  using sts = stsClient(outputs);
  const { Arn = '' } = await sts.send(new GetCallerIdentityCommand());
  return Arn;
}

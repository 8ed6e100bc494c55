import {
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { attributeOfClaim, isCustomersOwn, type Settings } from 'customer-data-api/stack';
import { awsClient } from 'customer-data-api-deployment';
import { type CheckResult, result } from './results.ts';

/** Claims of a user that nobody can change, or whose value Cognito verifies. */
const SAFE = ['sub', 'cognito:username', 'email', 'phone_number'];

/**
 * Checks that customers of an existing user pool cannot write the claim of their user id: they
 * could apply codes to the accounts of others. The response to `DescribeUserPoolClient` has the
 * secret of the app client, so no policy of operators permits it.
 */
export async function* checkUserIdClaim(
  region: string,
  { userPoolId: UserPoolId, userPoolClientIds = [], userIdClaim }: Settings,
): AsyncGenerator<CheckResult> {
  // The stack lets no app write the claim in a user pool of its own.
  if (!UserPoolId || userIdClaim === 'none') return;
  const claim = userIdClaim;
  if (SAFE.includes(claim)) return yield result('safeClaim', { claim });
  const isStandard = isCustomersOwn(userIdClaim);
  if (!isStandard && attributeOfClaim(userIdClaim) === undefined) {
    return yield result('claimByTrigger', { claim });
  }
  using client = awsClient('cognito-idp', CognitoIdentityProviderClient, { Region: region });
  const appClients: string[] = [];
  for (const ClientId of userPoolClientIds) {
    const command = new DescribeUserPoolClientCommand({ UserPoolId, ClientId });
    const { UserPoolClient } = await client.send(command);
    // Without a list, an app client writes all standard attributes.
    const { WriteAttributes = isStandard ? [userIdClaim] : [] } = UserPoolClient ?? {};
    if (WriteAttributes.includes(userIdClaim)) appClients.push(ClientId);
  }
  yield appClients.length === 0
    ? result('safeClaim', { claim })
    : result('writableClaim', { claim, appClients });
}

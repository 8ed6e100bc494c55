import {
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { attributeOfClaim, isCustomersOwn, type Settings } from 'customer-data-api/stack';
import { awsClient } from 'customer-data-api-deployment';
import { type CheckResult, firstNames, note, ok, problem } from './results.ts';

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
  if (SAFE.includes(userIdClaim)) return yield ok(`No customer can choose ${userIdClaim} freely.`);
  const isStandard = isCustomersOwn(userIdClaim);
  if (!isStandard && attributeOfClaim(userIdClaim) === undefined) {
    return yield note(
      `The user pool has no attribute ${userIdClaim}: a trigger makes the claim. It must not take it from what customers can write.`,
    );
  }
  using client = awsClient('cognito-idp', CognitoIdentityProviderClient, { Region: region });
  const writing: string[] = [];
  for (const ClientId of userPoolClientIds) {
    const command = new DescribeUserPoolClientCommand({ UserPoolId, ClientId });
    const { UserPoolClient } = await client.send(command);
    // Without a list, an app client writes all standard attributes.
    const { WriteAttributes = isStandard ? [userIdClaim] : [] } = UserPoolClient ?? {};
    if (WriteAttributes.includes(userIdClaim)) writing.push(ClientId);
  }
  yield writing.length === 0
    ? ok(`No app client of the stage writes ${userIdClaim}.`)
    : problem(
        `Customers can write ${userIdClaim} themselves, and so apply codes to the accounts of others, with these app clients: ${firstNames(writing, 'other app client')}. Take it out of their WriteAttributes, or set userIdClaim to another claim.`,
      );
}

import {
  CognitoIdentityProviderClient,
  DescribeUserPoolCommand,
  type SchemaAttributeType,
} from '@aws-sdk/client-cognito-identity-provider';
import { attributeOf, attributesLine, type Settings } from 'customer-data-api/stack';
import { named, outputsIn } from 'customer-data-api-deployment';
import { type CheckResult, note, ok, problem } from './results.ts';

/**
 * Judges whether the deployed user pool can get the attributes of the settings. Cognito adds some,
 * and changes and removes none.
 */
export async function* checkUserAttributes(
  region: string,
  stack: string,
  { userPoolId, userAttributes = [], userIdClaim }: Settings,
): AsyncGenerator<CheckResult> {
  if (userPoolId)
    return yield note(
      'The setting userPoolId names the user pool, which the stack does not change.',
    );
  const { UserPoolId } = (await outputsIn(region, stack)) ?? {};
  if (!UserPoolId) return yield note(`There is no user pool yet: ${stack} is not deployed.`);
  const deployed = await attributesOf(region, UserPoolId);
  const kept = [...deployed.keys()].filter((name) => !userAttributes.includes(name));
  const other = userAttributes.filter((name) => !isAsDeclared(deployed.get(name)));
  const problems: string[] = [];
  if (kept.length > 0) {
    problems.push(
      `The user pool has ${claims(kept)}, and Cognito removes no attribute: if the stack declared it, the deployment fails. Write ${attributesLine([...userAttributes, ...kept])}.`,
    );
  }
  if (other.length > 0) {
    problems.push(
      `In the user pool, ${claims(other)} is not a string that can change, and Cognito changes no attribute. Use another name in userAttributes.`,
    );
  }
  const claimed = attributeOf(userIdClaim);
  if (claimed !== undefined && !deployed.has(claimed)) {
    problems.push(
      `The user pool does not have custom:${claimed} yet, so every user would be refused. Deploy userAttributes without this userIdClaim, let your backend set the attribute of each user, then deploy the claim.`,
    );
  }
  for (const message of problems) yield problem(message);
  if (problems.length > 0) return;
  const added = userAttributes.filter((name) => !deployed.has(name));
  yield ok(
    added.length > 0
      ? `The deployment adds ${claims(added)} to the user pool, for good.`
      : 'The user pool has the attributes of userAttributes.',
  );
}

function claims(attributes: readonly string[]): string {
  return attributes.map((name) => `custom:${name}`).join(', ');
}

/** Reads the custom attributes of a user pool, by their names without `custom:`. */
async function attributesOf(
  region: string,
  UserPoolId: string,
): Promise<Map<string, SchemaAttributeType>> {
  using client = named('cognito-idp', new CognitoIdentityProviderClient({ region }));
  const { UserPool } = await client.send(new DescribeUserPoolCommand({ UserPoolId }));
  return new Map(
    (UserPool?.SchemaAttributes ?? []).flatMap((attribute) => {
      const name = attributeOf(attribute.Name ?? '');
      return name === undefined ? [] : [[name, attribute]];
    }),
  );
}

function isAsDeclared(attribute: SchemaAttributeType | undefined): boolean {
  return !attribute || (attribute.AttributeDataType === 'String' && attribute.Mutable !== false);
}

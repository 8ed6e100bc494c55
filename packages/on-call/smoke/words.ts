import { UserError } from 'customer-data-api-deployment/program';

/* The sentences about what the smoke checks create, for their command and the end-to-end tests. */

/** @param claim the claim that the setting `userIdClaim` names. */
export function missingClaim(claim: string): UserError {
  return new UserError(
    `The ID token has no claim ${claim}, which the setting userIdClaim names: every request for a user would be refused.`,
  );
}

export function secondFactor(): UserError {
  return new UserError(
    'Cognito asks for more than the password: the checks need a pool that does not require a second factor.',
  );
}

/** @param created what was created, such as `the user smoke-1`. */
export function notRemoved(created: string, error: unknown): string {
  return `NOT REMOVED: ${created}. Remove it by hand. ${error}`;
}

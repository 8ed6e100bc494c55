/** Answers of AWS that keep the canary from its work, and what to do about them. */
interface Answers {
  /** Challenges and errors, as AWS names them. */
  readonly names: readonly string[];
  /** True if they concern nothing but the canary's user, app client or secret. */
  readonly isOwnFault: boolean;
  readonly advice: string;
}

const OWN = { isOwnFault: true };
/** What customers may meet, too. */
const OTHER = { isOwnFault: false };

/**
 * The answers of each call, as AWS's reference lists them; the runbook has the same table.
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_InitiateAuth.html
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */
export const AWS_ANSWERS = {
  InitiateAuth: [
    {
      ...OWN,
      names: ['NEW_PASSWORD_REQUIRED', 'PasswordResetRequiredException'],
      advice:
        'The user needs a new password. Set one for good with aws cognito-idp admin-set-user-password --permanent, and write it into the secret.',
    },
    {
      ...OWN,
      names: ['NotAuthorizedException'],
      advice:
        'The password in the secret is not that of the user, or the user is disabled. Set it with aws cognito-idp admin-set-user-password --permanent, or enable the user.',
    },
    {
      ...OWN,
      names: ['UserNotFoundException', 'UserNotConfirmedException'],
      advice:
        'The user in the secret does not exist or is not confirmed. Create it with aws cognito-idp admin-create-user, or confirm it with admin-confirm-sign-up.',
    },
    {
      ...OWN,
      names: ['EMAIL_OTP', 'SELECT_MFA_TYPE', 'SMS_MFA', 'SOFTWARE_TOKEN_MFA'],
      advice:
        'The user has a second factor. Switch it off with aws cognito-idp admin-set-user-mfa-preference.',
    },
    {
      ...OWN,
      names: ['MFA_SETUP'],
      advice:
        'The user pool requires a second factor, which no canary has. Make it optional, or remove the setting canary.',
    },
    {
      ...OWN,
      names: ['DEVICE_PASSWORD_VERIFIER', 'DEVICE_SRP_AUTH'],
      advice:
        'The user has a remembered device. Remove it with aws cognito-idp admin-forget-device.',
    },
    {
      ...OWN,
      names: ['CUSTOM_CHALLENGE'],
      advice:
        'A trigger of the user pool asks for more than the password. Let it accept that of the canary.',
    },
    {
      ...OWN,
      names: [
        'ADMIN_NO_SRP_AUTH',
        'InvalidParameterException',
        'PASSWORD',
        'PASSWORD_SRP',
        'PASSWORD_VERIFIER',
        'SELECT_CHALLENGE',
        'SMS_OTP',
        'UnsupportedOperationException',
        'WEB_AUTHN',
      ],
      advice:
        'The app client does not take a password directly. Add ALLOW_USER_PASSWORD_AUTH to its flows.',
    },
    {
      ...OWN,
      names: ['SECRET_HASH'],
      advice:
        'The app client has a secret of its own. Let canary.appClient name one that has none.',
    },
    {
      ...OWN,
      names: ['ResourceNotFoundException'],
      advice: 'The app client does not exist. Correct canary.appClient.',
    },
    {
      ...OTHER,
      names: ['InternalErrorException'],
      advice:
        'Cognito fails, and apps get no new tokens either. See the AWS Health Dashboard, and wait.',
    },
    {
      ...OTHER,
      names: ['TooManyRequestsException'],
      advice:
        'Cognito throttles sign-ins. Look for a flood, or raise the quota UserAuthentication in Service Quotas.',
    },
    {
      ...OTHER,
      names: ['ForbiddenException'],
      advice:
        'The web ACL of the user pool blocks the canary, and perhaps customers. Correct its rules.',
    },
    {
      ...OTHER,
      names: [
        'InvalidLambdaResponseException',
        'UnexpectedLambdaException',
        'UserLambdaValidationException',
      ],
      advice:
        'A trigger of the user pool fails or refuses the user, and perhaps customers. Read its log.',
    },
    {
      ...OTHER,
      names: [
        'InvalidEmailRoleAccessPolicyException',
        'InvalidSmsRoleAccessPolicyException',
        'InvalidSmsRoleTrustRelationshipException',
      ],
      advice:
        'Cognito may not send codes, so customers who need one cannot sign in. Correct the role or the policy that it sends with.',
    },
    {
      ...OTHER,
      names: [
        'FeatureUnavailableInTierException',
        'InvalidUserPoolConfigurationException',
        'OperationNotEnabledException',
      ],
      advice:
        'The user pool is set up in such a way that nobody can sign in. Undo its last change, such as of its plan.',
    },
  ],
  GetSecretValue: [
    {
      ...OWN,
      names: ['AccessDeniedException', 'DecryptionFailure'],
      advice:
        'The function may not read the secret. Let its policy deny nothing, and encrypt it with the key aws/secretsmanager.',
    },
    {
      ...OWN,
      names: ['InvalidParameterException', 'ResourceNotFoundException'],
      advice: 'There is no such secret. Create it, and correct canary.secretArn.',
    },
    {
      ...OWN,
      names: ['InvalidRequestException'],
      advice:
        'The secret is scheduled for deletion. Keep it with aws secretsmanager restore-secret.',
    },
    {
      ...OTHER,
      names: ['InternalServiceError'],
      advice:
        'Secrets Manager fails, which apps do not notice. See the AWS Health Dashboard, and wait.',
    },
  ],
} as const satisfies Readonly<Record<string, readonly Answers[]>>;

/** A failure of the canary that says nothing about the service. */
export class OwnFault extends Error {}

/** A call of AWS that the canary makes. */
type Call = keyof typeof AWS_ANSWERS;

/** For a challenge that AWS added after this was written. */
const PASSWORD_ALONE = 'Let the user sign in with the password alone.';

/** Returns the error for a challenge, which the canary cannot answer, whichever it is. */
export function challengeError(name: string): OwnFault {
  const { advice } = answersLike('InitiateAuth', name) ?? { advice: PASSWORD_ALONE };
  return new OwnFault(`Cognito asks for ${name}. ${advice}`);
}

/**
 * Waits for the result of a call of AWS. What it throws names the call, because the errors of the
 * network do not, and says what to do if AWS's reference lists the error.
 */
export async function explained<TResult>(call: Call, result: Promise<TResult>): Promise<TResult> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof OwnFault) throw error;
    const answers = answersLike(call, nameOf(error));
    const why = `${call} failed with ${error.name}: ${error.message}`;
    if (!answers) throw new Error(why);
    // Not all messages of AWS end like a sentence.
    const text = `${why.replace(/\.$/, '')}. ${answers.advice}`;
    throw answers.isOwnFault ? new OwnFault(text) : new Error(text);
  }
}

/** Only the message tells a secret of the app client from a wrong password. */
function nameOf({ name, message }: Error): string {
  const needsHash = name === 'NotAuthorizedException' && message.includes('SECRET_HASH');
  return needsHash ? 'SECRET_HASH' : name;
}

function answersLike(call: Call, name: string): Answers | undefined {
  const all: readonly Answers[] = AWS_ANSWERS[call];
  return all.find(({ names }) => names.includes(name));
}

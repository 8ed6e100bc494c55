import { Annotations, Validations } from 'aws-cdk-lib';
import {
  type CfnUserPool,
  ClientAttributes,
  FeaturePlan,
  StringAttribute,
  UserPool,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';
import { isCustomersOwn } from '../settings/users.ts';

const FEATURE_PLANS = {
  lite: FeaturePlan.LITE,
  essentials: FeaturePlan.ESSENTIALS,
  plus: FeaturePlan.PLUS,
};

/**
 * The issuers of a user pool, by the first label of their host name.
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_IssuerConfigurationType.html
 */
export const ISSUERS = { original: 'cognito-idp', updated: 'issuer-cognito-idp' };

/**
 * The attributes that apps may write, whatever the claim: otherwise a customer could write the id
 * of another into an attribute, and take on that id when the claim changes.
 */
const WRITABLE = new ClientAttributes().withStandardAttributes({
  address: true,
  birthdate: true,
  email: true,
  familyName: true,
  fullname: true,
  gender: true,
  givenName: true,
  lastUpdateTime: true,
  locale: true,
  middleName: true,
  nickname: true,
  phoneNumber: true,
  preferredUsername: true,
  profilePage: true,
  profilePicture: true,
  timezone: true,
  website: true,
});

/** The user pool whose ID tokens are accepted: an existing one from the settings, or a new one. */
export class Users extends Construct {
  readonly userPoolId: string;
  readonly userPoolClientIds: readonly string[];
  /** The ids of a new user pool's app clients, by name. */
  readonly appClients: ReadonlyMap<string, string>;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    if (settings.userPoolId && settings.userPoolClientIds) {
      this.userPoolId = settings.userPoolId;
      this.userPoolClientIds = settings.userPoolClientIds;
      this.appClients = new Map();
      if (isCustomersOwn(settings.userIdClaim)) {
        Annotations.of(this).addWarningV2(
          'customer-data-api:userIdClaim',
          'Customers can write the attribute in userIdClaim, and apply codes to the accounts of others, unless no app client permits it: run doctor --stage.',
        );
      }
      return;
    }
    const { signInIdentifiers = ['username'], appClients = ['App'] } = settings;
    const { selfSignUp, email, userPoolPlan, userPoolIssuer, userAttributes } = settings;
    const userPool = new UserPool(this, 'UserPool', {
      signInAliases: Object.fromEntries(signInIdentifiers.map((name) => [name, true])),
      selfSignUpEnabled: selfSignUp,
      ...(userPoolPlan && { featurePlan: FEATURE_PLANS[userPoolPlan] }),
      ...(userAttributes && {
        customAttributes: Object.fromEntries(
          // Mutable, so that users who exist can get them.
          userAttributes.map((name) => [name, new StringAttribute({ mutable: true })]),
        ),
      }),
      passwordPolicy: {
        minLength: 8,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
      },
      deletionProtection: settings.retainData,
    });
    if (!userPoolPlan) {
      Annotations.of(userPool).addInfoV2(
        'customer-data-api:userPoolPlan',
        'The user pool has the plan essentials, unless it was created with another one: about 14,850 US dollars a month for a million users. "userPoolPlan": "lite" costs 4,600, and has what this service needs.',
      );
    }
    const resource = userPool.node.defaultChild as CfnUserPool;
    if (email) {
      resource.emailConfiguration = {
        emailSendingAccount: 'DEVELOPER',
        from: email.from,
        sourceArn: email.identityArn,
      };
    }
    if (userPoolIssuer) resource.issuerConfiguration = { type: userPoolIssuer.toUpperCase() };
    Validations.of(userPool).acknowledge(
      {
        id: 'AwsSolutions-COG2',
        reason:
          'The users are shoppers who sign in on their phones. A team that requires a second factor brings its own user pool.',
      },
      {
        id: 'AwsSolutions-COG8',
        reason:
          'The Plus plan is billed per user. A team that wants its threat protection brings its own user pool.',
      },
      {
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason:
          'Cognito sends codes by SMS. A phone number has no ARN to which the role could be limited.',
      },
    );
    this.userPoolId = userPool.userPoolId;
    this.appClients = new Map(
      appClients.map((name) => {
        const appClient = userPool.addClient(name, {
          // Apps sign in with SRP. Operators get tokens for test calls with the admin flow, which
          // needs AWS credentials.
          authFlows: {
            userSrp: true,
            adminUserPassword: true,
          },
          disableOAuth: true,
          preventUserExistenceErrors: true,
          writeAttributes: WRITABLE,
          // By default, an app client reads the standard attributes only, and an ID token has no
          // others:
          // https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UserPoolClientType.html
          ...(userAttributes && {
            readAttributes: WRITABLE.withStandardAttributes({
              emailVerified: true,
              phoneNumberVerified: true,
            }).withCustomAttributes(...userAttributes),
          }),
        });
        return [name, appClient.userPoolClientId];
      }),
    );
    this.userPoolClientIds = [...this.appClients.values()];
  }
}

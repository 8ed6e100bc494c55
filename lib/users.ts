import { type RemovalPolicy, Validations } from 'aws-cdk-lib';
import { UserPool } from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { Settings } from './settings.ts';

/** Which user pool, and what becomes of a new one when the stack goes. */
export interface UsersProps {
  readonly settings: Settings;
  readonly removalPolicy: RemovalPolicy;
  readonly deletionProtection: boolean;
}

/** The users whose ID tokens are accepted: an existing user pool where the settings name one, a new one otherwise. */
export class Users extends Construct {
  readonly userPoolId: string;
  readonly userPoolClientIds: readonly string[];

  constructor(scope: Construct, id: string, props: UsersProps) {
    super(scope, id);
    const { settings, removalPolicy, deletionProtection } = props;
    if (settings.userPoolId && settings.userPoolClientIds) {
      this.userPoolId = settings.userPoolId;
      this.userPoolClientIds = settings.userPoolClientIds;
      return;
    }
    const userPool = new UserPool(this, 'UserPool', {
      passwordPolicy: {
        minLength: 8,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
      },
      removalPolicy,
      deletionProtection,
    });
    Validations.of(userPool).acknowledge(
      {
        id: 'AwsSolutions-COG2',
        reason:
          'The users are shoppers who sign in on their phone. A team that asks them for a second factor brings its own user pool.',
      },
      {
        id: 'AwsSolutions-COG8',
        reason:
          'The plus plan is paid for each user. A team that wants its threat protection brings its own user pool.',
      },
    );
    const appClient = userPool.addClient('App', {
      // Apps sign in by SRP. The other flow needs AWS credentials, and is how an operator gets a token to try with.
      authFlows: { userSrp: true, adminUserPassword: true },
      disableOAuth: true,
      preventUserExistenceErrors: true,
    });
    // Its id is part of the apps that are installed.
    appClient.applyRemovalPolicy(removalPolicy);
    this.userPoolId = userPool.userPoolId;
    this.userPoolClientIds = [appClient.userPoolClientId];
  }
}

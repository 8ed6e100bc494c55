import { randomBytes, randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import {
  CognitoIdentityProvider,
  InvalidParameterException,
} from '@aws-sdk/client-cognito-identity-provider';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { exampleClients, getConfig } from 'customer-data-api/operations';
import { awsClient, configurationTables, documentClient } from 'customer-data-api-deployment';
import { runningIssuer, signIdToken } from 'customer-data-api-deployment/local';
import { appClientIds, isLocal, type Outputs } from 'customer-data-api-deployment/outputs';
import { changeClient } from 'customer-data-api-editor/clients';
import { decodeJwt } from 'jose';
import { awsTime } from '../promo-events/aws-time.ts';
import { countItems, eraseNow, markErased } from '../promo-events/erase.ts';
import { smokeId } from './smoke-id.ts';
import { missingClaim, notRemoved, secondFactor } from './words.ts';

/** A deployment to check, with a user and a client that were created for it. */
export interface Subject {
  /** The base URL of the API. */
  readonly url: string;
  readonly idToken: string;
  /** The value to which the deployment binds the token. */
  readonly userId: string;
  readonly clientId: string;
  readonly appId: string;
  /** Counts the items of the user in the PromoEvents table. */
  readonly countPromoEvents: () => Promise<number>;
}

/** A user that the token does not belong to. */
export const OTHER_USER = 'smoke-other-user';

/** Removes what was created, in reverse order, when it is disposed of. */
export class Cleanup extends AsyncDisposableStack {
  readonly #print: (line: string) => void;

  /** @param print receives a line for each failed removal. The other removals still run. */
  constructor(print: (line: string) => void) {
    super();
    this.#print = print;
  }

  /** Registers a removal: before the creation, as its response may be lost. */
  willRemove(name: string, remove: () => Promise<unknown>): void {
    this.defer(async () => {
      await remove().catch((error) => {
        if (/NotFoundException$/.test(error?.name)) return;
        this.#print(notRemoved(name, error));
      });
    });
  }
}

/**
 * Creates a user and signs it in: in Cognito, or with the issuer of the local server.
 *
 * @param outputsFile the file with the outputs, if any: the local server keeps its key beside it.
 * @throws UserError if a password does not sign the user in, or if its token lacks the claim.
 */
export async function createUser(
  outputs: Outputs,
  outputsFile: string | undefined,
  cleanup: Cleanup,
): Promise<Pick<Subject, 'idToken' | 'userId'>> {
  const user = smokeId();
  const claim = outputs.UserIdClaim === 'none' ? 'sub' : outputs.UserIdClaim;
  const signLocally = async (file: string) =>
    signIdToken(await runningIssuer(dirname(file)), { user, claims: { [claim]: user } });
  const idToken =
    isLocal(outputs) && outputsFile
      ? await signLocally(outputsFile)
      : await signIn(outputs, user, cleanup);
  const { [claim]: userId } = decodeJwt(idToken);
  if (typeof userId === 'string') return { idToken, userId };
  throw missingClaim(claim);
}

async function signIn(outputs: Outputs, user: string, cleanup: Cleanup): Promise<string> {
  const { UserPoolId, UserIdClaim } = outputs;
  const [region = ''] = UserPoolId.split('_');
  const place = { ...outputs, Region: region };
  const cognito = cleanup.use(awsClient('cognito-idp', CognitoIdentityProvider, place));
  const attributes = UserIdClaim.startsWith('custom:') ? [{ Name: UserIdClaim, Value: user }] : [];
  const create = async (Username: string) => {
    const remove = () => cognito.adminDeleteUser({ UserPoolId, Username });
    cleanup.willRemove(`the user ${Username}`, remove);
    const settings = { MessageAction: 'SUPPRESS', UserAttributes: attributes } as const;
    await cognito.adminCreateUser({ UserPoolId, Username, ...settings });
    return Username;
  };
  const Username = await create(user).catch((error) => {
    // A pool whose users sign in with e-mail addresses accepts no other names. Nobody gets mail.
    if (error instanceof InvalidParameterException) return create(`${user}@example.com`);
    throw error;
  });
  const Password = `${randomBytes(24).toString('base64url')}aA1!`;
  await cognito.adminSetUserPassword({ UserPoolId, Username, Password, Permanent: true });
  const { AuthenticationResult } = await cognito.adminInitiateAuth({
    UserPoolId,
    ClientId: appClientIds(outputs)[0],
    AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: Username, PASSWORD: Password },
  });
  if (AuthenticationResult?.IdToken) return AuthenticationResult.IdToken;
  throw secondFactor();
}

/**
 * Creates a client with the fields of the example of `getConfig`.
 *
 * @param cleanup removes it and the promo events of its users, also those that wait in the queue.
 * @param attributes of its item, besides those of each client.
 */
export async function createClient(
  outputs: Outputs,
  userId: string,
  cleanup: Cleanup,
  attributes: { readonly promoCodesIgnoreCase?: true } = {},
): Promise<Pick<Subject, 'clientId' | 'appId' | 'countPromoEvents'>> {
  const { ConfigsTableName, PromoEventsTableName, ErasuresTableName } = outputs;
  const client = cleanup.use(documentClient(outputs));
  const clientId = smokeId();
  const appId = randomUUID();
  const table = { documentClient: client, tableName: PromoEventsTableName };
  const countPromoEvents = () => countItems(table, { clientId, userId });
  const users: string[] = [];
  cleanup.willRemove(`the promo events of ${clientId} in ${PromoEventsTableName}`, async () => {
    for (const user of users.map((one) => ({ clientId, userId: one }))) {
      const erasures = { documentClient: client, tableName: ErasuresTableName };
      const now = await awsTime(client, PromoEventsTableName);
      await eraseNow(table, user, await markErased(erasures, user, now));
    }
  });
  // Before the promo events: an app that still calls would store another one.
  cleanup.willRemove(`the item ${clientId} in ${ConfigsTableName}`, () =>
    client.send(new DeleteCommand({ TableName: ConfigsTableName, Key: { clientId } })),
  );
  const { example } = getConfig;
  const { clientId: _, ...attributesOfExample } =
    exampleClients().find((one) => one.clientId === example.request.clientId) ?? {};
  const change = { by: 'customer-data smoke', message: 'For the checks, which remove it' };
  const tables = cleanup.use(configurationTables(outputs));
  // The history tells that nobody removed it by mistake, and no alarm is raised.
  await changeClient(tables, clientId, { ...change, creates: clientId, removes: true }, () =>
    marshall({
      ...attributesOfExample,
      appIds: [appId],
      userPoolClientIds: appClientIds(outputs).slice(0, 1),
      ...attributes,
    }),
  );
  // Detects a missing permission before events are written.
  await countPromoEvents();
  users.push(userId, OTHER_USER);
  return { clientId, appId, countPromoEvents };
}

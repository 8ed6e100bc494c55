import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { CANARY_CLIENT_ID } from 'customer-data-api/promo-events';
import { databaseClient, type Issuer, signIdToken } from 'customer-data-api-deployment/local';

/** The secret of the canary on this machine. */
const SECRET = { username: 'canary', password: randomUUID(), appId: 'canary-app-key' };

/** The bodies of the calls below, as far as they are read. */
interface Call {
  readonly ClientId: string;
  readonly AuthParameters: { readonly USERNAME: string; readonly PASSWORD: string };
}

/**
 * Creates a server in front of that of the key set. It answers the calls with which the canary
 * reads its secret and signs in.
 */
export function createSignInServer(issuer: Issuer, userIdClaim: string, keys: Server): Server {
  return createServer(async (request, response) => {
    const answer = (body: object, statusCode = 200) =>
      response
        .writeHead(statusCode, { 'Content-Type': 'application/x-amz-json-1.1' })
        .end(JSON.stringify(body));
    switch (request.headers['x-amz-target']) {
      case 'secretsmanager.GetSecretValue':
        answer({ SecretString: JSON.stringify(SECRET) });
        return;
      case 'AWSCognitoIdentityProviderService.InitiateAuth': {
        const { ClientId, AuthParameters } = (await json(request)) as Call;
        const { USERNAME: user, PASSWORD } = AuthParameters;
        if (user !== SECRET.username || PASSWORD !== SECRET.password) {
          answer({ __type: 'NotAuthorizedException' }, 400);
          return;
        }
        const claims = { aud: ClientId, ...(userIdClaim !== 'none' && { [userIdClaim]: user }) };
        const IdToken = await signIdToken(issuer, { user, claims });
        answer({ AuthenticationResult: { IdToken } });
        return;
      }
      default:
        keys.emit('request', request, response);
    }
  });
}

/** Stores the client of the canary. */
export async function storeCanary(
  endpoint: string,
  TableName: string,
  userPoolClientId: string,
): Promise<void> {
  const client = databaseClient(endpoint);
  const Item = {
    clientId: CANARY_CLIENT_ID,
    appIds: new Set([SECRET.appId]),
    userPoolClientIds: new Set([userPoolClientId]),
    fields: [],
    lastFieldId: 0,
  };
  await DynamoDBDocumentClient.from(client).send(new PutCommand({ TableName, Item }));
  client.destroy();
}

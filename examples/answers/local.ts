/* Beside `npm start`: the function of this example, with its tables in the local DynamoDB. */
import * as local from 'customer-data-api-deployment/local';
import { createTable, readPort } from 'customer-data-api-local';
import { httpApi } from './http-api.ts';

const port = readPort(process.env.PORT ?? '3001');
const outputs = await local.runningOutputs(local.LOCAL_FOLDER);
const database = local.databaseClient(outputs.DynamoDbEndpoint);
for (const [tableName, ...names] of [
  ['Answers', 'userId', 'clientId'] as const,
  ['Configurations', 'clientId', 'configVersion'] as const,
]) {
  const keys = names.map((AttributeName, at) => ({
    AttributeName,
    AttributeType: 'S' as const,
    KeyType: at === 0 ? ('HASH' as const) : ('RANGE' as const),
  }));
  await createTable(database, { tableName, keySchema: keys, attributeDefinitions: keys });
}
Object.assign(process.env, {
  ANSWERS_TABLE: 'Answers',
  API_URL: outputs.ApiUrl,
  APP_CLIENTS: outputs.UserPoolClientId,
  APP_ID: 'demo-app-key',
  CONFIGURATIONS_TABLE: 'Configurations',
  USER_ID_CLAIM: 'sub',
  USER_POOL_ID: outputs.UserPoolId,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_ENDPOINT_URL_DYNAMODB: outputs.DynamoDbEndpoint,
  AWS_REGION: local.REGION,
  AWS_SECRET_ACCESS_KEY: 'local',
});
const { handler, verifier } = await import('./handler.ts');
const keys = local.createJwksServer(await local.runningIssuer(local.LOCAL_FOLDER));
const url = `${await local.listen(keys)}${local.jwksPath(outputs.UserPoolId)}`;
verifier.cacheJwks((await (await fetch(url)).json()) as never);
await local.close(keys);
process.stdout.write(`${await local.listen(httpApi(handler), port, { pages: 'all' })}/answers\n`);

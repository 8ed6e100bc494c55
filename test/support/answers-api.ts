import { join } from 'node:path';
import { close, listen } from 'customer-data-api-deployment/local';
import { createTable, readCloudAssembly } from 'customer-data-api-local';
import { vi } from 'vitest';
import { Answers, type AnswersProps } from '../../examples/answers/answers.ts';
import { httpApi } from '../../examples/answers/http-api.ts';
import type { Service } from './service.ts';
import { appFor } from './stack.ts';

/**
 * Serves the example that stores answers beside a service: the bundle that its stack deploys. It
 * reads environment variables, which the caller restores.
 *
 * @param settings an App-Id of the clients, and others of the stack.
 */
export async function startAnswersApi(
  { outputs, issuer, dynamodb }: Service,
  settings: Pick<AnswersProps, 'appId'> & Partial<AnswersProps>,
) {
  const app = appFor({ 'aws:cdk:bundling-stacks': ['**'] });
  new Answers(app, 'Answers', {
    apiUrl: outputs.ApiUrl,
    userPoolId: issuer.userPoolId,
    userPoolClientId: outputs.UserPoolClientId,
    userIdClaim: 'sub',
    ...settings,
  });
  const { template, assetFolders } = await readCloudAssembly(app.synth().directory);
  for (const table of template.tables()) await createTable(dynamodb, table);
  const [definition] = template.functions();
  const variables = {
    ...definition?.environment,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: outputs.DynamoDbEndpoint,
    AWS_REGION: 'us-east-1',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const folder = assetFolders.get(definition?.codeKey ?? '') ?? '';
  const { handler, verifier } = await import(join(folder, 'index.mjs'));
  const { kty, n, e, alg, use, kid } = issuer.signingKey;
  verifier.cacheJwks({ keys: [{ kty, n, e, alg, use, kid }] });
  const server = httpApi(handler);
  const url = `${await listen(server, 0, { pages: 'all' })}/answers`;
  return { url, [Symbol.asyncDispose]: () => close(server) };
}

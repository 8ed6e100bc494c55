import { afterEach, expect, test, vi } from 'vitest';
import { createDynamoDbClient } from '../../../../core/platform/dynamodb-client.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a call runs only the middlewares that do something for it', () => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  const { middlewareStack } = createDynamoDbClient('https://dynamodb.example.com');
  const names = middlewareStack.identify().map((entry) => entry.split(' ')[0]);
  expect(names).toEqual([
    'serializerMiddleware',
    'contentLengthMiddleware',
    'hostHeaderMiddleware',
    'anonymous',
    'retryMiddleware',
    'anonymous',
    'httpSigningMiddleware',
    'deserializerMiddleware',
  ]);
});

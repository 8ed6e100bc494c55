import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Bundles } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';

/** A client whose `send` the tests replace. */
export const documentClient = DynamoDBDocumentClient.from(
  new DynamoDBClient({ region: 'us-east-1', endpoint: 'http://127.0.0.1:1' }),
);

export const environment = {
  documentClient,
  outputs: { ConfigsTableName: 'Configs', PromoEventsTableName: 'PromoEvents' },
  variables: (operation: string) => ({ OPERATION: operation }),
  events: (operation: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ operation, index })),
} as unknown as Environment;

/** The bundles of a candidate, of which only the names matter. */
export function bundlesOf(candidate: string): Bundles {
  const bundle = { candidate, folder: '', bytes: 0 };
  return {
    'get-config': { ...bundle, operation: 'get-config' },
    'apply-promo-code': { ...bundle, operation: 'apply-promo-code' },
  };
}

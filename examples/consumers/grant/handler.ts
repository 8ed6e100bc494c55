import { Logger } from '@aws-lambda-powertools/logger';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { safeParse, summarize } from 'valibot';
import { AppliedCode, grantOnce } from './grant-once.ts';

const { API_KEY_SECRET, BENEFITS_URL, CODES_TABLE, GRANTS_TABLE, GUESTS } = process.env;
const { SecretString } = await new SecretsManager().getSecretValue({ SecretId: API_KEY_SECRET });
const logger = new Logger();

const granting = {
  document: DynamoDBDocument.from(new DynamoDBClient()),
  codesTable: String(CODES_TABLE),
  grantsTable: String(GRANTS_TABLE),
  guests: String(GUESTS).split(','),
  /** The calls that most services have. Write those of yours. */
  benefits: {
    give: async (key: string, customer: string, code: string) => {
      const body = JSON.stringify({ customer, code, metadata: { grant: key } });
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
      return (await call({ method: 'POST', headers, body })).id;
    },
    find: async (key: string) => (await call({}, `?grant=${key}`)).data[0]?.id,
  },
};

// biome-ignore lint/suspicious/noExplicitAny: the service describes what it answers
async function call({ headers, ...request }: RequestInit, query = ''): Promise<any> {
  const response = await fetch(`${BENEFITS_URL}${query}`, {
    ...request,
    headers: { ...headers, Authorization: `Bearer ${SecretString}` },
    signal: AbortSignal.timeout(8000),
  });
  if (!response.ok) throw new Error(`The service answered with the status ${response.status}.`);
  return response.json();
}

function eventOf(body: string) {
  const { success, output, issues } = safeParse(AppliedCode, JSON.parse(body));
  // The issues have the whole event, such as the token of its code, which no log may get.
  if (!success) throw new Error(summarize(issues));
  return output;
}

/** Grants what a batch of the queue asks for. What fails is delivered again. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const results = await Promise.allSettled(
    Records.map(async ({ body }) => grantOnce(eventOf(body), granting)),
  );
  const batchItemFailures = results.flatMap((result, index) => {
    if (result.status === 'fulfilled') return [];
    const itemIdentifier = String(Records[index]?.messageId);
    logger.error('A grant will be tried again', { itemIdentifier, error: result.reason });
    return [{ itemIdentifier }];
  });
  return { batchItemFailures };
}

import type { Deployment } from 'customer-data-api-deployment';
import { author, sqsClient } from 'customer-data-api-deployment';
import type { ConfigurationTables, PromoEventsTableToList } from 'customer-data-api-operator';
import { configurationTables, SqsQueue } from 'customer-data-api-operator';

/** Who calls the API, and what they can reach: a deployment, with their credentials. */
export interface Caller {
  readonly deployment: Deployment;
  readonly tables: ConfigurationTables;
  readonly promoEvents: PromoEventsTableToList;
  readonly queue: SqsQueue;
  readonly deadLetters: SqsQueue;
  /** Names the author of a change. */
  readonly author: () => Promise<string>;
}

/** The caller on an operator's machine: their credentials are those of the process. */
export function operatorOf(deployment: Deployment): Caller & Disposable {
  const { outputs } = deployment;
  const tables = configurationTables(outputs);
  const { dynamodb } = tables;
  const sqs = sqsClient(outputs);
  return {
    deployment,
    tables,
    promoEvents: { dynamodb, tableName: outputs.PromoEventsTableName },
    queue: new SqsQueue(sqs, outputs.PromoEventsQueueUrl),
    deadLetters: new SqsQueue(sqs, outputs.PromoEventsDeadLetterQueueUrl),
    author: () => author(deployment),
    [Symbol.dispose]: () => {
      tables[Symbol.dispose]();
      sqs[Symbol.dispose]();
    },
  };
}

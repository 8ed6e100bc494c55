import type { ConfigurationTables } from '../../admin/configuration/stored-configuration.ts';
import type { PromoEventsTableToList } from '../../admin/promo-events/list-promo-events.ts';
import { Messages } from '../../admin/promo-events/sqs-queue.ts';
import { author } from '../deployment/author.ts';
import { sqsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { configurationTables } from '../deployment/tables.ts';

/** Who calls the API, and what they can reach: a deployment, with their credentials. */
export interface Caller {
  readonly deployment: Deployment;
  readonly tables: ConfigurationTables;
  readonly promoEvents: PromoEventsTableToList;
  readonly queue: Messages;
  readonly deadLetters: Messages;
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
    ...{ deployment, tables },
    promoEvents: { dynamodb, tableName: outputs.PromoEventsTableName },
    queue: new Messages(sqs, outputs.PromoEventsQueueUrl),
    deadLetters: new Messages(sqs, outputs.PromoEventsDeadLetterQueueUrl),
    author: () => author(deployment),
    [Symbol.dispose]: () => {
      tables[Symbol.dispose]();
      sqs[Symbol.dispose]();
    },
  };
}

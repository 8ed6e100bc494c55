import { randomUUID } from 'node:crypto';
import { DeleteCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { newLastChange } from 'customer-data-api/clients';
import { exampleClients, getConfig } from 'customer-data-api/operations';
import { documentClient } from 'customer-data-api-deployment';
import { appClientIds, type Outputs } from 'customer-data-api-deployment/outputs';
import { awsTime } from '../promo-events/aws-time.ts';
import { markErased } from '../promo-events/erase-user.ts';
import type { Cleanup } from './cleanup.ts';

/** A client of the service, created for the checks: an item of the Configs table. */
export interface TestClient {
  readonly clientId: string;
  readonly appId: string;
  /** Its items in the PromoEvents table. */
  readonly promoEvents: () => Promise<Record<string, unknown>[]>;
}

/** The language of the test client, besides its own, and the name of each field in it. */
export const TRANSLATION = { language: 'de', fieldName: 'Übersetzt' } as const;

/**
 * Creates a client with a unique name and the fields of the example of `getConfig`, translated.
 *
 * @param cleanup removes the client and its promo events.
 */
export async function createClient(outputs: Outputs, cleanup: Cleanup): Promise<TestClient> {
  const { ConfigsTableName, PromoEventsTableName, ErasuresTableName } = outputs;
  const dynamodb = cleanup.use(documentClient(outputs));
  const { example } = getConfig;
  const stored = exampleClients().find(({ clientId }) => clientId === example.request.clientId);
  const translations = { [TRANSLATION.language]: { fieldName: TRANSLATION.fieldName } };
  const clientId = `smoke-${randomUUID()}`;
  const appId = randomUUID();

  const promoEvents = async () => {
    const pages = paginateQuery(
      { client: dynamodb },
      {
        TableName: PromoEventsTableName,
        KeyConditionExpression: 'clientId = :clientId',
        ExpressionAttributeValues: { ':clientId': clientId },
        ConsistentRead: true,
      },
    );
    const events = [];
    for await (const { Items = [] } of pages) events.push(...Items);
    return events;
  };

  cleanup.willRemove(`the promo events of ${clientId} in ${PromoEventsTableName}`, async () => {
    const erasures = { documentClient: dynamodb, tableName: ErasuresTableName };
    const now = await awsTime(dynamodb, PromoEventsTableName);
    for (const { eventId, userId } of await promoEvents()) {
      // Without a marker, the removal would break a guarantee, and page.
      await markErased(erasures, { clientId, userId: String(userId) }, now);
      const Key = { clientId, eventId };
      await dynamodb.send(new DeleteCommand({ TableName: PromoEventsTableName, Key }));
    }
  });
  cleanup.willRemove(`the item ${clientId} in ${ConfigsTableName}`, async () => {
    await dynamodb.send(new DeleteCommand({ TableName: ConfigsTableName, Key: { clientId } }));
  });
  await dynamodb.send(
    new PutCommand({
      TableName: ConfigsTableName,
      Item: {
        ...stored,
        language: 'en',
        fields: stored?.fields.map((field) => ({ ...Object(field), translations })),
        clientId,
        appIds: [appId],
        userPoolClientIds: appClientIds(outputs).slice(0, 1),
        // Whoever looks at the history sees that nobody removed it by mistake, and no alarm is
        // raised.
        lastChange: newLastChange({
          by: 'customer-data smoke',
          message: 'For the checks, which remove it',
          creates: clientId,
          removes: true,
        }),
      },
      ConditionExpression: 'attribute_not_exists(clientId)',
    }),
  );
  // Detects a missing permission before events are written.
  await promoEvents();
  return { clientId, appId, promoEvents };
}

import { createDocumentClient } from '../../core/aws/document-client.ts';
import { createEventBridgeClient } from '../../core/aws/eventbridge-client.ts';
import { readEnvironment } from '../../core/runtime/environment.ts';
import { publishPromoEvents } from '../background-functions.ts';

/* What the function reads and writes. */

export const environment = readEnvironment(publishPromoEvents.environment);
export const documentClient = createDocumentClient(environment.DYNAMODB_ENDPOINT);
export const erasures = { documentClient, tableName: environment.ERASURES_TABLE_NAME };
export const bus = {
  eventBridge: createEventBridgeClient(environment.EVENTBRIDGE_ENDPOINT),
  name: environment.PROMO_EVENTS_BUS_NAME,
};

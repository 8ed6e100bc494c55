import { readFile } from 'node:fs/promises';
import { toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { ConfigurationChangedDetail } from '../core/history/configuration-changed-detail.ts';
import {
  CONFIGURATION_CHANGED,
  CONFIGURATIONS_SOURCE,
} from '../core/history/configurations-source.ts';
import { PROMO_EVENTS_SOURCE, PromoEventDetail } from '../core/promo-events/published-event.ts';

const PACKAGE = new URL('../package.json', import.meta.url);

/** An event on the bus. */
interface EventDefinition {
  readonly source: string;
  readonly detailType: string;
  readonly description: string;
  readonly detail: v.GenericSchema;
}

/** The events by the names of their messages in the document. */
const EVENTS: Readonly<Record<string, EventDefinition>> = {
  PromoCodeApplied: {
    source: PROMO_EVENTS_SOURCE,
    detailType: 'applied',
    description: 'A promo code was applied to an account: act on this event.',
    detail: PromoEventDetail,
  },
  PromoCodeRepeated: {
    source: PROMO_EVENTS_SOURCE,
    detailType: 'repeated',
    description: 'A later request for a code that was already applied to the account.',
    detail: PromoEventDetail,
  },
  ConfigurationChanged: {
    source: CONFIGURATIONS_SOURCE,
    detailType: CONFIGURATION_CHANGED,
    description: 'A version of the configuration of a client was recorded.',
    detail: ConfigurationChangedDetail,
  },
};

/** https://docs.aws.amazon.com/eventbridge/latest/ref/overiew-event-structure.html */
const envelope = ({ source, detailType, description, detail }: EventDefinition) =>
  v.pipe(
    v.object({
      version: v.literal('0'),
      id: v.string(),
      'detail-type': v.literal(detailType),
      source: v.literal(source),
      account: v.string(),
      time: v.pipe(v.string(), v.isoTimestamp()),
      region: v.string(),
      resources: v.array(v.string()),
      detail,
    }),
    v.description(description),
  );

/**
 * The schemas in the dialect of OpenAPI 3.0, which EventBridge's schema registries read, and which
 * says here the same as JSON Schema.
 */
function schemas() {
  return toJsonSchemaDefs(
    {
      ...Object.fromEntries(Object.entries(EVENTS).map(([name, event]) => [name, envelope(event)])),
      PromoEventDetail,
      ConfigurationChangedDetail,
    },
    {
      target: 'openapi-3.0',
      overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    },
  );
}

/** Generates the AsyncAPI 3 document of the events on the bus, checked in as `asyncapi.json`. */
export async function asyncApiDocument() {
  const { version } = JSON.parse(await readFile(PACKAGE, 'utf8'));
  const messages = Object.keys(EVENTS);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'customer-data-api',
      version,
      description:
        'The events on the EventBridge bus of a deployment. Each arrives at least once, in any order.',
      license: { name: 'Proprietary' },
    },
    defaultContentType: 'application/json',
    channels: {
      bus: {
        address: null,
        description: 'The event bus, which the output PromoEventsBusName of a deployment names.',
        messages: Object.fromEntries(
          messages.map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      publish: {
        action: 'send',
        channel: { $ref: '#/channels/bus' },
        messages: messages.map((name) => ({ $ref: `#/channels/bus/messages/${name}` })),
      },
    },
    components: {
      messages: Object.fromEntries(
        Object.entries(EVENTS).map(([name, { description }]) => [
          name,
          { name, summary: description, payload: { $ref: `#/components/schemas/${name}` } },
        ]),
      ),
      schemas: schemas(),
    },
  };
}

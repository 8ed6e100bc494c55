import { CANARY_CLIENT_ID } from '../../core/promo-events/canary.ts';

const SOURCE = 'customer-data-api.promo-events';

/** Version of the schema of `detail`. Increase it with each incompatible change. */
const DETAIL_VERSION = '1';

/** The filter and transformation of a pipe, for the template, the local server and the replay. */
export interface PipeDefinition {
  /** Event patterns in JSON. A record passes if it matches one of them, or if there is none. */
  readonly filters: readonly string[];
  /** The `source` of each event. */
  readonly source: string;
  /** The path of the detail type in a stream record. */
  readonly detailType: string;
  /** `detail` as JSON, with paths into a record in angle brackets. */
  readonly inputTemplate: string;
}

/** Publishes each new item of the PromoEvents table, with its `kind` as the detail type. */
export const PROMO_EVENTS_PIPE: PipeDefinition = {
  // New items only: the stream also has erased and expired ones. Items without a kind pass, so that
  // the bus rejects them and they end up in the dead-letter queue. Those of the canary do not, even
  // without the setting: the stream may still have some when it is switched off.
  filters: [
    JSON.stringify({
      eventName: ['INSERT'],
      dynamodb: { Keys: { clientId: { S: [{ 'anything-but': [CANARY_CLIENT_ID] }] } } },
    }),
  ],
  source: SOURCE,
  detailType: '$.dynamodb.NewImage.kind.S',
  // The whole image is inserted as JSON: in a template of single values, a string could break out
  // of its quotes.
  inputTemplate: `{"version":"${DETAIL_VERSION}","item":<$.dynamodb.NewImage>}`,
};

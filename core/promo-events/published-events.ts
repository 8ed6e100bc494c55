/** The `source` of the events on the bus. */
const SOURCE = 'customer-data-api.promo-events';

/** Version of the schema of `detail`. An incompatible change raises it. */
const DETAIL_VERSION = '1';

/**
 * What a pipe lets through and makes of it. The template, the local server and the command that
 * replays events share this form.
 */
export interface PipeDefinition {
  /** Event patterns in JSON. A record passes if it matches one of them, or if there is none. */
  readonly filters: readonly string[];
  /** The `source` of each event. */
  readonly source: string;
  /** The path of the detail type in a record of the stream. */
  readonly detailType: string;
  /** `detail` as JSON, with paths into a record in angle brackets. */
  readonly inputTemplate: string;
}

/**
 * What the event bus receives of the PromoEvents table: each new item, with its `kind` as the
 * detail type.
 */
export const PROMO_EVENTS_PIPE: PipeDefinition = {
  // New items only: erased and expired items are also in the stream. Items without a kind pass, so
  // that the bus rejects them and the dead-letter queue shows them.
  filters: [JSON.stringify({ eventName: ['INSERT'] })],
  source: SOURCE,
  detailType: '$.dynamodb.NewImage.kind.S',
  // The whole image is inserted as JSON. In a template of single values, a string could break out
  // of its quotes.
  inputTemplate: `{"version":"${DETAIL_VERSION}","item":<$.dynamodb.NewImage>}`,
};

import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge';

/** An event for the bus. */
export interface BusEvent {
  readonly source: string;
  readonly detailType: string;
  readonly detail: object;
  /** The time when it happened, in ISO 8601. */
  readonly time: string;
}

/** An event bus. */
export interface Bus {
  readonly eventBridge: EventBridgeClient;
  readonly name: string;
}

/** The bus answered that it cannot take an event now. */
class NotTakenError extends Error {
  override readonly name = 'NotTakenError';
}

/** The outcome for an event. */
export type Put =
  | { readonly kind: 'published' }
  /** The bus will never take it, because of its form or its size. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The bus cannot take it now: it failed, throttled, was out of reach or not permitted. */
  | { readonly kind: 'notTaken'; readonly error: unknown };

/** An event with its entry of `PutEvents`. */
interface Prepared {
  readonly entry: PutEventsRequestEntry;
  readonly bytes: number;
}

/** The most entries, and bytes of all entries together, that a call of `PutEvents` takes. */
const MAX_ENTRIES = 10;
const MAX_BYTES = 256 * 1024;
/** Attempts until the bus refuses an entry for good. All but the first are of the entry alone. */
const ATTEMPTS = 3;

/**
 * Refusals for good, of an entry or of a call. All others may pass, including a missing permission.
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsResultEntry.html
 */
const FOR_GOOD = [
  'InvalidArgument',
  'MalformedDetail',
  'RedactionFailure',
  'SerializationException',
  'ValidationException',
];

const PUBLISHED = { kind: 'published' } as const;

/**
 * Puts events on the bus, in calls side by side.
 *
 * @returns what became of each event, in their order. Never throws.
 */
export async function putEvents(
  bus: Bus,
  events: readonly BusEvent[],
  abortSignal?: AbortSignal,
): Promise<Put[]> {
  const puts = callsOf(events.map((event) => prepared(bus, event))).map(async (batch) => {
    const first = await putBatch(bus, batch, abortSignal);
    return Promise.all(
      first.map((put, index) =>
        put.kind === 'refused' ? putAlone(bus, batch[index], put, abortSignal) : put,
      ),
    );
  });
  return (await Promise.all(puts)).flat();
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
function prepared({ name }: Bus, { source, detailType, detail, time }: BusEvent): Prepared {
  const Detail = JSON.stringify(detail);
  const ofTime = 14;
  return {
    entry: {
      EventBusName: name,
      Source: source,
      DetailType: detailType,
      Detail,
      Time: new Date(time),
    },
    bytes: ofTime + Buffer.byteLength(`${source}${detailType}${Detail}`),
  };
}

/** Divides entries, in their order, into what fits in a call. */
function callsOf(all: readonly Prepared[]): Prepared[][] {
  const calls: Prepared[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const one of all) {
    bytes += one.bytes;
    const call = calls.at(-1);
    if (call && call.length < MAX_ENTRIES && bytes <= MAX_BYTES) call.push(one);
    else {
      calls.push([one]);
      bytes = one.bytes;
    }
  }
  return calls;
}

async function putBatch(
  { eventBridge }: Bus,
  batch: readonly Prepared[],
  abortSignal?: AbortSignal,
): Promise<Put[]> {
  const [first] = batch;
  if (first && first.bytes > MAX_BYTES) {
    return [{ kind: 'refused', reason: `It has ${first.bytes} bytes, more than ${MAX_BYTES}.` }];
  }
  try {
    const call = new PutEventsCommand({ Entries: batch.map(({ entry }) => entry) });
    const { Entries = [] } = await eventBridge.send(call, abortSignal && { abortSignal });
    return batch.map((_, index) => putOf(Entries[index]));
  } catch (error) {
    const { name, message } = Object(error);
    const put: Put = FOR_GOOD.includes(name)
      ? { kind: 'refused', reason: `${name}: ${message}` }
      : { kind: 'notTaken', error };
    return batch.map(() => put);
  }
}

/** One call can accept one entry and refuse another. */
function putOf({ EventId, ErrorCode = '', ErrorMessage }: PutEventsResultEntry = {}): Put {
  if (EventId) return PUBLISHED;
  const reason = `${ErrorCode}: ${ErrorMessage}`;
  return FOR_GOOD.includes(ErrorCode)
    ? { kind: 'refused', reason }
    : { kind: 'notTaken', error: new NotTakenError(reason) };
}

/** Tries a refused entry again without the others: one of them may be the cause. */
async function putAlone(
  bus: Bus,
  one: Prepared | undefined,
  refusal: Put,
  abortSignal?: AbortSignal,
): Promise<Put> {
  let put = refusal;
  for (let attempt = 1; one && attempt < ATTEMPTS && put.kind === 'refused'; attempt++) {
    [put = refusal] = await putBatch(bus, [one], abortSignal);
  }
  return put;
}

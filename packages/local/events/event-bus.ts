import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { PutEventsResponse } from '@aws-sdk/client-eventbridge';
import type { EventBridgeEvent } from 'aws-lambda';
import { REGION } from 'customer-data-api-deployment/local';
import * as v from 'valibot';
import { ACCOUNT } from '../template.ts';

/** The file of received events, one per line, in the folder of the local server. */
export const EVENTS_FILE = 'events.jsonl';

/** The most entries of a call, and bytes of all of them together. */
const MAX_ENTRIES = 10;
const MAX_BYTES = 256 * 1024;

const Entry = v.object({
  Source: v.optional(v.string()),
  DetailType: v.optional(v.string()),
  Detail: v.optional(v.string()),
  /** The time in seconds since 1970. */
  Time: v.optional(v.number()),
});
type Entry = v.InferOutput<typeof Entry>;

/** The body of a `PutEvents` call. */
const PutEventsRequest = v.pipe(v.string(), v.parseJson(), v.object({ Entries: v.array(Entry) }));

/** The fault of the bus: it is out of reach, or refuses each event for good. */
export type BusFault = 'down' | 'refuses';

/** The event bus of the local server. It has no rules: each event becomes a line of a file. */
export class EventBus {
  readonly #file: string;
  /** Keeps the lines of concurrent calls apart. */
  #written: Promise<void> = Promise.resolve();

  private constructor(file: string) {
    this.#file = file;
  }

  /** @param keepsEvents true to keep the events of earlier runs. */
  static async open(folder: string, keepsEvents: boolean): Promise<EventBus> {
    const file = join(folder, EVENTS_FILE);
    await mkdir(folder, { recursive: true });
    await writeFile(file, '', { flag: keepsEvents ? 'a' : 'w' });
    return new EventBus(file);
  }

  /**
   * Accepts events. As on AWS, single entries can be rejected.
   * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
   */
  async put(
    entries: readonly Entry[],
    fault?: BusFault,
  ): Promise<Required<Pick<PutEventsResponse, 'Entries' | 'FailedEntryCount'>>> {
    const events: EventBridgeEvent<string, unknown>[] = [];
    const Entries = entries.map((entry) => {
      const problem = fault ? 'The fault bus-refuses is on.' : problemOf(entry);
      if (problem) return { ErrorCode: 'InvalidArgument', ErrorMessage: problem };
      const event = envelope(entry);
      events.push(event);
      return { EventId: event.id };
    });
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    this.#written = this.#written.then(() => appendFile(this.#file, lines));
    await this.#written;
    return { Entries, FailedEntryCount: entries.length - events.length };
  }
}

/** Serves `PutEvents` to the AWS SDK. */
export function createEventBusServer(
  bus: EventBus,
  currentFault: () => BusFault | undefined = () => undefined,
): Server {
  return createServer(async (incoming, response) => {
    const fault = currentFault();
    if (fault === 'down') {
      response.destroy();
      return;
    }
    const headers = { 'Content-Type': 'application/x-amz-json-1.1' };
    if (incoming.headers['x-amz-target'] !== 'AWSEvents.PutEvents') {
      response.writeHead(400, headers).end('{"__type":"UnknownOperationException"}');
      return;
    }
    const { success, output } = v.safeParse(PutEventsRequest, await text(incoming));
    if (!success) {
      response.writeHead(400, headers).end('{"__type":"SerializationException"}');
      return;
    }
    const message = problemOfCall(output.Entries);
    if (message) {
      const refusal = { __type: 'ValidationException', message };
      response.writeHead(400, headers).end(JSON.stringify(refusal));
      return;
    }
    const answer = await bus.put(output.Entries, fault);
    response.writeHead(200, headers).end(JSON.stringify(answer));
  });
}

/** Limits of a call. https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html */
function problemOfCall(entries: readonly Entry[]): string | undefined {
  if (entries.length < 1 || entries.length > MAX_ENTRIES) {
    return `1 validation error detected: the length of 'entries' must be from 1 to ${MAX_ENTRIES}.`;
  }
  const bytes = entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
  return bytes > MAX_BYTES
    ? 'Total size of the entries in the request is over the limit.'
    : undefined;
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
function bytesOf({ Source = '', DetailType = '', Detail = '', Time }: Entry): number {
  return Buffer.byteLength(Source + DetailType + Detail) + (Time === undefined ? 0 : 14);
}

function problemOf({ Source, DetailType, Detail }: Entry): string | undefined {
  if (!Source) return 'Parameter Source is not valid. Reason: Source is a required argument.';
  if (!DetailType) {
    return 'Parameter DetailType is not valid. Reason: DetailType is a required argument.';
  }
  try {
    JSON.parse(Detail ?? '');
    return undefined;
  } catch {
    return 'Parameter Detail is not valid. Reason: Detail is malformed.';
  }
}

/** https://docs.aws.amazon.com/eventbridge/latest/ref/overiew-event-structure.html */
function envelope({ Source = '', DetailType = '', Detail = '', Time }: Entry) {
  const time = Time === undefined ? new Date() : new Date(Time * 1000);
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType,
    source: Source,
    account: ACCOUNT,
    // EventBridge has no fractions of a second.
    time: time.toISOString().replace(/\.\d+/, ''),
    region: REGION,
    resources: [],
    detail: JSON.parse(Detail),
  };
}

import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { PutEventsRequestEntry, PutEventsResponse } from '@aws-sdk/client-eventbridge';
import type { EventBridgeEvent } from 'aws-lambda';
import { REGION } from 'customer-data-api-deployment/local';
import * as v from 'valibot';
import { ACCOUNT } from '../template.ts';

/** The file of received events, one per line, in the folder of the local server. */
export const EVENTS_FILE = 'events.jsonl';

/** The body of a `PutEvents` call. */
const PutEventsRequest = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    Entries: v.array(
      v.object({
        Source: v.optional(v.string()),
        DetailType: v.optional(v.string()),
        Detail: v.optional(v.string()),
      }),
    ),
  }),
);

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
    entries: readonly PutEventsRequestEntry[],
  ): Promise<Required<Pick<PutEventsResponse, 'Entries' | 'FailedEntryCount'>>> {
    const events: EventBridgeEvent<string, unknown>[] = [];
    const Entries = entries.map((entry) => {
      const problem = problemOf(entry);
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
export function createEventBusServer(bus: EventBus): Server {
  return createServer(async (incoming, response) => {
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
    response.writeHead(200, headers).end(JSON.stringify(await bus.put(output.Entries)));
  });
}

function problemOf({ Source, DetailType, Detail }: PutEventsRequestEntry): string | undefined {
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
function envelope({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType,
    source: Source,
    account: ACCOUNT,
    // EventBridge has no fractions of a second.
    time: new Date().toISOString().replace(/\.\d+/, ''),
    region: REGION,
    resources: [],
    detail: JSON.parse(Detail),
  };
}

import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * The faults of the local server, and their effects on apps. The gateway, `server/fronts.ts` and
 * `server/server.ts` make them.
 */
export const FAULTS = {
  none: 'everything works',
  throttle: 'every request gets 429 ThrottlingException',
  'table-down':
    'the table of promo codes cannot be written: a request with one has the outcome queued',
  'queue-down': 'nor can the queue: such a request gets 503 ServiceUnavailableException',
  'bus-down':
    'the event bus is out of reach: promo events wait, and are published when it works again; news of configurations becomes dead letters',
  'bus-refuses': 'the event bus refuses each event, which becomes a dead letter',
  'configs-down':
    'the table of clients cannot be read: running functions serve their last good copy for 15 minutes',
  'dynamodb-slow':
    'DynamoDB takes five seconds: running functions serve their last good copy of a client, and a request with a promo code has the outcome queued',
  'keys-down':
    'the key set of the user pool cannot be read: every request gets 503 ServiceUnavailableException',
  slow: 'every request is executed, and its response comes 28 seconds later',
  'lost-response': 'every request is executed, and its connection is cut before the response',
  'captive-portal': 'something else answers every request, with 200 and a page',
  'internal-error': 'every request gets 500 InternalServerError',
  firewall: 'every request gets 403 ForbiddenException, as from the web ACL',
} as const;

/** The name of a fault, such as `table-down`. */
export type Fault = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as Fault[];

/** Holds the current fault of the local server. */
export class FaultSwitch {
  #fault: Fault;
  readonly #onChange: (before: Fault) => Promise<void>;

  /** @param onChange is called with the fault before, after it has changed. */
  constructor(fault: Fault, onChange: (before: Fault) => Promise<void>) {
    this.#fault = fault;
    this.#onChange = onChange;
  }

  get fault(): Fault {
    return this.#fault;
  }

  async change(fault: Fault): Promise<void> {
    const before = this.#fault;
    this.#fault = fault;
    await this.#onChange(before);
  }
}

/** Creates the server of `npm run fault`: GET reads the fault, PUT changes it. */
export function createFaultServer(faults: FaultSwitch): Server {
  return createServer(async (request, response) => {
    if (request.method === 'PUT') {
      const name = await text(request);
      const fault = FAULT_NAMES.find((one) => one === name);
      if (!fault) {
        response.writeHead(400).end();
        return;
      }
      await faults.change(fault);
    } else if (request.method !== 'GET') {
      response.writeHead(405).end();
      return;
    }
    response.end(faults.fault);
  });
}

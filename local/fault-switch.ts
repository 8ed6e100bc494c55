import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

/** The faults of the local server, and their effects on apps. */
export const FAULTS = {
  none: 'everything works',
  throttle: 'every request gets 429 ThrottlingException',
  'table-down':
    'the table of promo codes cannot be written: promoCode/apply has the outcome queued',
  'keys-down':
    'the key set of the user pool cannot be read: every request gets 503 ServiceUnavailableException',
  slow: 'every request is executed, and its response comes 28 seconds later',
} as const;

/** The name of a fault, such as `table-down`. */
export type Fault = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as Fault[];

/** Holds the current fault of the local server. */
export class FaultSwitch {
  #fault: Fault;
  readonly #onChange: () => Promise<void>;

  /** @param onChange called after the fault has changed. */
  constructor(fault: Fault, onChange: () => Promise<void>) {
    this.#fault = fault;
    this.#onChange = onChange;
  }

  get fault(): Fault {
    return this.#fault;
  }

  async change(fault: Fault): Promise<void> {
    this.#fault = fault;
    await this.#onChange();
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

/** Creates a server that forwards to another one, or drops connections while that one is down. */
export function createFront(server: Server, isDown: (operation: string) => boolean): Server {
  return createServer((request, response) => {
    const operation = String(request.headers['x-amz-target']).replace(/.*\./, '');
    if (isDown(operation) || !server.listening) response.destroy();
    else server.emit('request', request, response);
  });
}

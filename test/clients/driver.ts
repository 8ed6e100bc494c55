import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { argumentsOf } from './java-program.ts';

/** The languages whose generated clients the tests run. */
export const DRIVEN = [
  { language: 'kotlin', mainClass: 'DriverKt' },
  { language: 'java', mainClass: 'Driver' },
] as const;

export type Driven = (typeof DRIVEN)[number];

/** What a generated client made of a response or a value. */
export interface Outcome {
  /** The decoded value, as the client encodes it. */
  // biome-ignore lint/suspicious/noExplicitAny: each schema has its own values, which the tests check
  readonly value?: any;
  /** The decoded body of an error response, as the client encodes it. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly error?: any;
  /** The status of an error response. */
  readonly status?: number;
  /** The classes that the fields of a configuration were decoded as, such as `ComboField(TextSubField,DropSubField)`. */
  readonly kinds?: readonly string[];
  /** The exception, if the client could not do it. */
  readonly failure?: string;
}

/** A call of an operation by a generated client. */
export interface GeneratedCall {
  readonly call: 'getConfig' | 'getConfigAtCustomData' | 'applyPromoCode';
  readonly baseUrl: string;
  readonly idToken: string;
  readonly appId: string;
  readonly deviceId: string;
  readonly requestDate: string;
  readonly request: object;
  /** The schema of the error response. */
  readonly error: 'ErrorResponse' | 'UnauthorizedResponse';
}

/** A process with a generated client. It does one command after the other. */
export class Driver {
  readonly #process: ChildProcess;
  readonly #send: (line: string) => void;
  readonly #lines: AsyncIterator<string>;

  private constructor(args: readonly string[]) {
    const java = spawn('java', args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#process = java;
    this.#send = (line) => java.stdin.write(line);
    this.#lines = createInterface({ input: java.stdout })[Symbol.asyncIterator]();
  }

  static async start({ language, mainClass }: Driven): Promise<Driver> {
    return new Driver(await argumentsOf(new URL(`${language}/`, import.meta.url), mainClass));
  }

  call(call: GeneratedCall): Promise<Outcome> {
    return this.#do(call);
  }

  /** Decodes a value of a schema of the document. */
  decode(schema: string, json: unknown): Promise<Outcome> {
    return this.#do({ decode: schema, json });
  }

  async #do(command: object): Promise<Outcome> {
    this.#send(`${JSON.stringify(command)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('The generated client has ended.');
    return JSON.parse(value);
  }

  /** The process ends when its standard input closes; calls of OkHttp keep threads alive. */
  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
  }
}

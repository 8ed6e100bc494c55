import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pythonProgram } from '../python.ts';
import { argumentsOf } from './documented-commands.ts';
import { isInstalled, ONLY_CLIENT } from './programs.ts';

const here = (path: string) => new URL(path, import.meta.url);

const kotlin = (folder: string) =>
  ({
    language: 'kotlin',
    program: 'JDK',
    command: async () => ['java', ...(await argumentsOf(here(folder), 'DriverKt'))],
  }) as const;

interface Driven {
  readonly language: string;
  readonly program: Parameters<typeof isInstalled>[0];
  readonly command: () => Promise<readonly string[]>;
}

const isDriven = ({ language, program }: Driven) =>
  isInstalled(program) && (ONLY_CLIENT ?? language) === language;

/** The languages whose generated clients the tests run, if they are installed. */
export const DRIVEN = (
  [
    kotlin('kotlin/'),
    {
      language: 'go',
      program: 'Go',
      command: async () => [fileURLToPath(here('go/target/driver'))],
    },
    {
      language: 'python',
      program: 'Python 3.10',
      command: async () => [await pythonProgram('python'), fileURLToPath(here('python/driver.py'))],
    },
  ] as const
).filter(isDriven);

/** These, and the client in Kotlin of which the tests only decode configurations. */
export const DECODERS = [...DRIVEN, ...[kotlin('kotlin-multiplatform/')].filter(isDriven)];

const PYTHONPATH = fileURLToPath(here('../../build/python'));

/** The response or value that a generated client decoded, as the client encodes it again. */
export interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: each schema has its own values, which the tests check
  readonly value?: any;
  /** The body of an error response, and its status. */
  readonly error?: object;
  readonly status?: number;
  /**
   * The classes that the fields of a configuration were decoded as, such as
   * `ComboField(TextSubField,DropSubField)`.
   */
  readonly kinds?: readonly string[];
  /** The exception, if the client could not do it. */
  readonly failure?: string;
}

/** A call of an operation by a generated client. */
export interface GeneratedCall {
  readonly call: 'getConfig' | 'applyPromoCode';
  readonly baseUrl: string;
  readonly idToken: string;
  readonly appId: string;
  readonly deviceId: string;
  readonly requestDate: string;
  /** The value of `Accept-Language`, which only `getConfig` has. */
  readonly language: string;
  readonly request: object;
  /** The schema of the error response. */
  readonly error: 'ErrorEnvelope' | 'UnauthorizedEnvelope';
}

export type Driver = Awaited<ReturnType<typeof startDriver>>;

/** Starts a process with a generated client. It does one command after the other. */
export async function startDriver({ command }: Driven) {
  const [program = '', ...args] = await command();
  const client = spawn(program, args, {
    env: { ...process.env, PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]();
  const run = async (command: object): Promise<Outcome> => {
    client.stdin.write(`${JSON.stringify(command)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('The generated client has ended.');
    return JSON.parse(value);
  };
  return {
    call: (call: GeneratedCall) => run(call),
    /** Decodes a value of a schema of the document. */
    decode: (schema: string, json: unknown) => run({ decode: schema, json }),
    /** The process ends when its standard input closes; calls of OkHttp keep threads alive. */
    stop: async () => {
      client.kill();
      await once(client, 'exit');
    },
  };
}

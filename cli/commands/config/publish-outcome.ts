import { CommandError, ConflictError } from '../../../admin/command-error.ts';
import { ConfigurationConflict } from '../../../admin/configuration/conflict.ts';
import { callOf } from '../../deployment/aws-call.ts';
import { inOneLine } from '../../deployment/aws-error.ts';

/** How far a change of a configuration has come. If it fails, the error says it. */
export class Outcome {
  readonly #clientId: string;
  readonly #ifUnknown: string;
  #text = 'Nothing was published.';

  /** @param ifUnknown what to do if nobody knows whether the change was made. */
  constructor(clientId: string, ifUnknown = '') {
    this.#clientId = clientId;
    this.#ifUnknown = ifUnknown;
  }

  /**
   * Sends the change.
   *
   * @throws what `send` throws. Unless DynamoDB has refused its only attempt, it may have been made all the same.
   */
  async sent<T>(send: () => Promise<T>): Promise<T> {
    try {
      const result = await send();
      this.#text = 'It is published.';
      return result;
    } catch (error) {
      // A read after a refused write, which may have failed too, has written nothing.
      if (!isRefusedWrite(error) && !isRefusedWrite((error as Error | undefined)?.cause)) {
        const unknown = `Whether it was published is not known: customer-data config history ${this.#clientId} shows it.`;
        this.#text = [unknown, this.#ifUnknown].filter(String).join('\n');
      }
      throw error;
    }
  }

  toString(): string {
    return this.#text;
  }
}

/**
 * Makes a change of a client's configuration. If that fails, the error also says whether the change was published. If somebody else
 * was faster, it says how to go on.
 *
 * @param steps what to do then.
 * @param ifUnknown what to do if nobody knows whether the change was made.
 * @throws ConflictError if somebody else changed the configuration.
 */
export async function withOutcome(
  clientId: string,
  make: (outcome: Outcome) => Promise<void>,
  steps: (conflict: ConfigurationConflict) => readonly string[],
  ifUnknown?: string,
): Promise<void> {
  const outcome = new Outcome(clientId, ifUnknown);
  try {
    await make(outcome);
  } catch (error) {
    if (error instanceof ConfigurationConflict) throw withSteps(error, clientId, steps(error));
    const failure = inOneLine(error);
    if (failure instanceof CommandError) {
      failure.message = [failure.message, outcome].filter(String).join('\n');
    }
    throw failure;
  }
}

function withSteps(
  { code, message, base, changes: [newest] }: ConfigurationConflict,
  clientId: string,
  steps: readonly string[],
): ConflictError {
  const versions = base && newest && `${clientId}@${base.version} ${clientId}@${newest.version}`;
  const lines = versions ? [`customer-data config diff ${versions} shows the lines.`] : [];
  return new ConflictError([message, ...lines, ...steps].join('\n'), code);
}

/** Whether DynamoDB has refused the write. The response to an earlier attempt may have been lost after it was made. */
function isRefusedWrite(error: unknown): boolean {
  if (!(error instanceof Error) || !callOf(error)?.startsWith('dynamodb:UpdateItem')) return false;
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number; attempts?: number } };
  const { httpStatusCode = 0, attempts } = $metadata ?? {};
  return attempts === 1 && httpStatusCode >= 400 && httpStatusCode < 500;
}

import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { CommandError } from '../core/platform/command-error.ts';

/** The outputs of a deployment that the commands need. The last four exist on the local server only. */
export type Outputs = v.InferOutput<typeof OutputsSchema>;

const OutputsSchema = v.object({
  ApiUrl: v.string(),
  ConfigsTableName: v.string(),
  ConfigVersionsTableName: v.string(),
  PromoEventsTableName: v.string(),
  PromoEventsQueueUrl: v.string(),
  PromoEventsDeadLetterQueueUrl: v.string(),
  PromoEventsBusName: v.string(),
  PromoEventsBusDeadLetterQueueUrl: v.string(),
  Region: v.string(),
  UserIdClaim: v.string(),
  UserPoolId: v.string(),
  UserPoolClientId: v.pipe(
    v.string(),
    v.transform((ids) => ids.split(',')[0] ?? ''),
  ),
  DynamoDbEndpoint: v.optional(v.string()),
  EventBridgeEndpoint: v.optional(v.string()),
  SqsEndpoint: v.optional(v.string()),
  JwksUri: v.optional(v.string()),
});

/** The name of each stack of this service: `CustomerDataApi-<stage>`. */
export const STACK = /^CustomerDataApi-/;

/**
 * Reads the outputs file that `cdk deploy --outputs-file` or the local server wrote.
 *
 * @throws CommandError if it cannot be read or does not contain the outputs of exactly one deployment of this service.
 */
export async function readOutputs(file: string): Promise<Outputs> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandError(`The outputs file cannot be read: ${error.message}`);
  });
  let stacks: Record<string, unknown>;
  try {
    stacks = JSON.parse(text);
  } catch {
    throw new CommandError(
      `${file} is not JSON. Use the file that cdk deploy --outputs-file writes.`,
    );
  }
  const ours = Object.keys(stacks ?? {}).filter((name) => STACK.test(name));
  if (ours.length !== 1) {
    const found = ours.length > 0 ? ours.join(', ') : 'none';
    throw new CommandError(
      `${file} must contain one stack CustomerDataApi-<stage>; it has ${found}.`,
    );
  }
  return checkOutputs(stacks[ours[0] ?? ''], file);
}

/**
 * Checks that the outputs of a stack are complete.
 *
 * @param source the file or the stack that they come from, for the error message.
 * @throws CommandError that names the missing outputs.
 */
export function checkOutputs(outputs: unknown, source: string): Outputs {
  const result = v.safeParse(OutputsSchema, outputs);
  if (result.success) return result.output;
  const missing = result.issues.map((issue) => v.getDotPath(issue)).join(', ');
  throw new CommandError(
    `${source} lacks ${missing}. Deploy the current version of the service and try again.`,
  );
}

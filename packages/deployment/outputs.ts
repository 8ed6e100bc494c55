import { stackNameOf } from 'customer-data-api/stack-name';
import * as v from 'valibot';
import { readTextFile } from './program/file-error.ts';
import { UsageError } from './program/user-error.ts';

/**
 * The outputs of a deployment that the commands need. The commands of a release work with a stack
 * of the release before it, too: an output that the recorded release lacks is `v.optional`, so that
 * it is asked for where it is used. The last four exist on the local server only.
 */
export type Outputs = v.InferOutput<typeof OutputsSchema>;

const OutputsSchema = v.object({
  ApiUrl: v.string(),
  ConfigsTableName: v.string(),
  ConfigVersionsTableName: v.string(),
  PromoEventsTableName: v.string(),
  ErasuresTableName: v.string(),
  PromoEventsQueueUrl: v.string(),
  PromoEventsDeadLetterQueueUrl: v.string(),
  PromoEventsBusName: v.string(),
  PromoEventsBusQueueUrl: v.string(),
  PromoEventsBusDeadLetterQueueUrl: v.string(),
  ConfigVersionsDeadLetterQueueUrl: v.string(),
  Region: v.string(),
  /** The version of the project that was deployed. */
  Release: v.string(),
  /** `true` or `false`, as the two below. */
  RequiresUserPoolClientIds: v.string(),
  RetainsData: v.string(),
  StoresDeviceIds: v.string(),
  /** 0 for ever. */
  PromoEventRetentionDays: v.string(),
  /** Seconds after which apps have a change. */
  ConfigCacheSeconds: v.string(),
  UserIdClaim: v.string(),
  UserPoolId: v.string(),
  /** `id1,id2`: the first is the one that the checks of `smoke` use. */
  UserPoolClientId: v.string(),
  DynamoDbEndpoint: v.optional(v.string()),
  EventBridgeEndpoint: v.optional(v.string()),
  SqsEndpoint: v.optional(v.string()),
  JwksUri: v.optional(v.string()),
});

/** True for the local server, which alone has a key set of its own. */
export function isLocal({ JwksUri }: Pick<Partial<Outputs>, 'JwksUri'>): boolean {
  return JwksUri !== undefined;
}

/** The ids of the app clients of the deployment. */
export function appClientIds({ UserPoolClientId }: Pick<Outputs, 'UserPoolClientId'>): string[] {
  return UserPoolClientId.split(',');
}

/** True if the deployment says that its promo events have the Device-Id of their request. */
export function storesDeviceIds({ StoresDeviceIds }: Pick<Outputs, 'StoresDeviceIds'>): boolean {
  return StoresDeviceIds === 'true';
}

/** Returns when all apps have a change that DynamoDB accepted at a time. */
export function appsHaveItBy(
  { ConfigCacheSeconds }: Pick<Outputs, 'ConfigCacheSeconds'>,
  at: string,
): Date {
  return new Date(Date.parse(at) + Number(ConfigCacheSeconds) * 1000);
}

/** Writes the time of a day for people, as the history has it: `22:25:32Z`. */
export function utcTime(date: Date): string {
  return `${date.toISOString().slice(11, 19)}Z`;
}

/** The AWS account of the deployment, which is part of the URL of a queue. */
export function accountOf({ PromoEventsQueueUrl }: Outputs): string {
  return new URL(PromoEventsQueueUrl).pathname.split('/')[1] ?? '';
}

/** The start of the name of each stack of this service. The rest names its stage. */
export const STACK_NAME = new RegExp(`^${stackNameOf('')}`);

/**
 * Reads the outputs file that `cdk deploy --outputs-file` or the local server wrote.
 *
 * @throws UsageError if it cannot be read or does not contain the outputs of exactly one deployment
 *   of this service.
 */
export async function readOutputsFile(
  file: string,
): Promise<{ readonly stackName: string; readonly outputs: Outputs }> {
  const text = await readTextFile('The outputs file', file);
  let stacks: Record<string, unknown>;
  try {
    stacks = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new UsageError(
      `${file} is not JSON: ${(error as Error).message}. Use the file that cdk deploy --outputs-file writes.`,
    );
  }
  const ours = Object.keys(stacks ?? {}).filter((name) => STACK_NAME.test(name));
  if (ours.length !== 1) {
    const found = ours.length > 0 ? ours.join(', ') : 'none';
    throw new UsageError(
      `${file} must contain one stack ${stackNameOf('<stage>')}; it has ${found}.`,
    );
  }
  const [stackName = ''] = ours;
  return { stackName, outputs: checkOutputs(stacks[stackName], file) };
}

/**
 * Checks that the outputs of a stack are complete.
 *
 * @param source the file or the stack that they come from, for the error message.
 * @throws UsageError that names the missing outputs.
 */
export function checkOutputs(outputs: unknown, source: string): Outputs {
  const result = v.safeParse(OutputsSchema, outputs);
  if (result.success) return result.output;
  const missing = result.issues.map((issue) => v.getDotPath(issue)).join(', ');
  throw new UsageError(
    `${source} is missing ${missing}. Deploy the current release of the service, then try again.`,
  );
}

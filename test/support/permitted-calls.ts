import type { Outputs } from 'customer-data-api-deployment/outputs';
import { expect } from 'vitest';
import type { OperatorResource, Permission } from '../../lib/operators/permissions-of-commands.ts';
import type { Call } from './aws.ts';

/** The services whose names in IAM and in signatures differ. */
const IN_IAM: Readonly<Record<string, string>> = { monitoring: 'cloudwatch' };

/** Checks that permissions of operators cover some calls to AWS. */
export function expectPermitted(
  calls: readonly Call[],
  permissions: readonly Permission[],
  outputs: Outputs,
): void {
  const actions = permissions.flatMap((permission) =>
    Object.entries(permission.actions).flatMap(([resource, names]) =>
      names.map((action) => `${action} on ${resource}`),
    ),
  );
  for (const call of calls.filter(({ service }) => service !== 'sts')) {
    const action = `${IN_IAM[call.service] ?? call.service}:${call.operation.replace(/Batch$/, '')}`;
    const resource = resourceOf(call, outputs);
    if (call.operation === 'StartMessageMoveTask') {
      // SQS receives and sends with the permissions of the caller.
      const moved = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];
      for (const one of moved) expect(actions).toContain(`sqs:${one} on ${resource}`);
      const destination = nameOf(call.input.DestinationArn, outputs);
      expect(actions).toContain(`sqs:SendMessage on ${destination}`);
    }
    const isPermitted = (one: string) =>
      resource === undefined ? one.startsWith(`${action} on `) : one === `${action} on ${resource}`;
    expect(actions.some(isPermitted), `${action} on ${resource}`).toBe(true);
  }
}

/** The resource of a call to a table or a queue. */
function resourceOf({ input }: Call, outputs: Outputs): OperatorResource | undefined {
  if (input.Select === 'SPECIFIC_ATTRIBUTES') {
    expect(input.ProjectionExpression).not.toMatch(/token/i);
    return 'listedPromoEvents';
  }
  return nameOf(input.TableName ?? input.QueueUrl ?? input.SourceArn, outputs);
}

/** The resource that a table's name, or a queue's URL or ARN names. */
function nameOf(name: unknown, outputs: Outputs): OperatorResource | undefined {
  const names: readonly (readonly [string, OperatorResource])[] = [
    [outputs.ConfigsTableName, 'configs'],
    [outputs.ConfigVersionsTableName, 'configVersions'],
    [outputs.PromoEventsTableName, 'promoEvents'],
    [outputs.ErasuresTableName, 'erasures'],
    [outputs.PromoEventsQueueUrl, 'queue'],
    [outputs.PromoEventsDeadLetterQueueUrl, 'deadLetterQueue'],
    [outputs.PromoEventsBusQueueUrl, 'busQueue'],
    [outputs.PromoEventsBusDeadLetterQueueUrl, 'busDeadLetterQueue'],
    [outputs.ConfigVersionsDeadLetterQueueUrl, 'historyDeadLetterQueue'],
  ];
  const last = (text: unknown) => String(text).replace(/.*[:/]/, '');
  return names.find(([one]) => last(one) === last(name))?.[1];
}

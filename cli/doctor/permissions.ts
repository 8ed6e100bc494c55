import {
  GetRoleCommand,
  type IAMClient,
  SimulatePrincipalPolicyCommand,
} from '@aws-sdk/client-iam';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import {
  type OperatorResource,
  PERMISSIONS,
  type Permission,
} from '../../lib/operator-permissions.ts';
import { stsClient } from '../aws-clients.ts';
import { AwsError, inOneLine } from '../aws-error.ts';
import type { Outputs } from '../outputs.ts';
import { iamClient } from './aws-clients.ts';
import type { Check } from './diagnosis.ts';

/** The resources whose ARNs follow from the outputs. Calls of the others are made by the other checks. */
type Known = Extract<
  OperatorResource,
  | 'bus'
  | 'busDeadLetterQueue'
  | 'configs'
  | 'configVersions'
  | 'deadLetterQueue'
  | 'promoEvents'
  | 'queue'
>;

/** Which commands the caller may run, as IAM evaluates the policies. */
export const permissions: Check = {
  name: 'permissions',
  notLocal: 'the local server permits everything',
  run: async function* ({ outputs }) {
    const caller = await callerArn(outputs);
    if (/:root$/.test(caller)) {
      yield { status: 'note', message: `You are ${caller}, who may do everything. Use a role.` };
      return;
    }
    const arns = arnsOf(outputs, caller);
    const iam = iamClient(outputs.Region);
    try {
      const principal = await principalOf(iam, caller);
      for (const permission of PERMISSIONS) {
        if (!Object.keys(permission.actions).some((resource) => resource in arns)) continue;
        const denied = await deniedActions(iam, principal, permission, arns);
        const commands = permission.commands.join(', ');
        if (denied.length === 0) yield { status: 'ok', message: `You may run ${commands}.` };
        else {
          const message = `You may not run ${commands}: ${denied.join(', ')}. The policy ${permission.policy} of the stack allows it.`;
          yield { status: 'note', message };
        }
      }
    } catch (error) {
      const failure = inOneLine(error);
      if (!(failure instanceof AwsError)) throw error;
      // A caller without one of the stack's policies may lack the permission to ask.
      const { message } = failure;
      yield {
        status: 'note',
        message: `Which commands you may run was not checked, only what this one calls. ${message}`,
      };
    } finally {
      iam.destroy();
    }
  },
};

async function callerArn(outputs: Outputs): Promise<string> {
  const sts = stsClient(outputs);
  try {
    const { Arn = '' } = await sts.send(new GetCallerIdentityCommand());
    return Arn;
  } finally {
    sts.destroy();
  }
}

/** The ARN of the user, or of the role of a session: that of the session lacks the path of the role. */
async function principalOf(iam: IAMClient, caller: string): Promise<string> {
  const [, RoleName] = /:assumed-role\/([^/]+)\//.exec(caller) ?? [];
  if (RoleName === undefined) return caller;
  const { Role } = await iam.send(new GetRoleCommand({ RoleName }));
  return Role?.Arn ?? caller;
}

function arnsOf(outputs: Outputs, caller: string): Readonly<Record<Known, string>> {
  const [, partition, , , account] = caller.split(':');
  const arn = (service: string, resource: string) =>
    `arn:${partition}:${service}:${outputs.Region}:${account}:${resource}`;
  const table = (name: string) => arn('dynamodb', `table/${name}`);
  const queue = (url: string) => arn('sqs', url.split('/').at(-1) ?? '');
  return {
    bus: arn('events', `event-bus/${outputs.PromoEventsBusName}`),
    busDeadLetterQueue: queue(outputs.PromoEventsBusDeadLetterQueueUrl),
    configs: table(outputs.ConfigsTableName),
    configVersions: table(outputs.ConfigVersionsTableName),
    deadLetterQueue: queue(outputs.PromoEventsDeadLetterQueueUrl),
    promoEvents: table(outputs.PromoEventsTableName),
    queue: queue(outputs.PromoEventsQueueUrl),
  };
}

/** The calls that IAM would refuse, with their resources. */
async function deniedActions(
  iam: IAMClient,
  PolicySourceArn: string,
  { actions }: Permission,
  arns: Readonly<Record<string, string>>,
): Promise<string[]> {
  const denied: string[] = [];
  for (const [resource, names] of Object.entries(actions)) {
    const arn = arns[resource];
    if (arn === undefined) continue;
    const { EvaluationResults = [] } = await iam.send(
      new SimulatePrincipalPolicyCommand({
        PolicySourceArn,
        ActionNames: [...names],
        ResourceArns: [arn],
      }),
    );
    for (const { EvalActionName = '', EvalDecision } of EvaluationResults) {
      if (EvalDecision !== 'allowed') denied.push(`${EvalActionName} on ${arn}`);
    }
  }
  return denied;
}

import { paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { cloudFormationClient } from '../../deployment/aws-clients.ts';
import type { Deployment } from '../../deployment/deployment.ts';

/** A resource of a stack. */
export interface StackResource {
  readonly logicalId: string;
  readonly physicalId: string;
  readonly type: string;
}

/** Lists the resources of the stack of a deployment. */
export async function stackResources({ stackName, outputs }: Deployment): Promise<StackResource[]> {
  const client = cloudFormationClient(outputs.Region);
  const resources: StackResource[] = [];
  try {
    for await (const page of paginateListStackResources({ client }, { StackName: stackName })) {
      for (const one of page.StackResourceSummaries ?? []) {
        const { LogicalResourceId = '', PhysicalResourceId = '', ResourceType = '' } = one;
        resources.push({
          logicalId: LogicalResourceId,
          physicalId: PhysicalResourceId,
          type: ResourceType,
        });
      }
    }
  } finally {
    client.destroy();
  }
  return resources;
}

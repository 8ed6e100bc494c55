import { GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { cloudFormationClient } from 'customer-data-api-deployment';
import type { Outputs } from 'customer-data-api-deployment/outputs';

/** Reads the resources of a type from the deployed template: their properties by logical id. */
export async function templateResources<Properties>(
  { stackName, outputs }: { readonly stackName: string; readonly outputs: Partial<Outputs> },
  type: string,
): Promise<[id: string, properties: Partial<Properties>][]> {
  using client = cloudFormationClient(outputs);
  const { TemplateBody = '{}' } = await client.send(
    new GetTemplateCommand({ StackName: stackName }),
  );
  const { Resources = {} }: Template<Properties> = JSON.parse(TemplateBody);
  return Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) =>
    Type === type ? [[id, Properties]] : [],
  );
}

interface Template<Properties> {
  readonly Resources?: Readonly<
    Record<string, { readonly Type: string; readonly Properties?: Partial<Properties> }>
  >;
}

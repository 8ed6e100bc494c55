import { readFile, writeFile } from 'node:fs/promises';

const NO_CODE_DEPLOY = 'MiniStack has no CodeDeploy: an update shifts all requests at once.';
const WEB_ACL = 'MiniStack stores a web ACL, but applies it to no request.';

/** A missing text of DynamoDB, in the pattern of a filter. */
const MISSING_TEXT = String.raw`{\"S\":[{\"exists\":false}]}`;

/** The reason why MiniStack refuses the resources of a type, and alarms with metric math. */
const REFUSED: Readonly<Record<string, string>> = {
  'AWS::CodeDeploy::Application': NO_CODE_DEPLOY,
  'AWS::CodeDeploy::DeploymentConfig': NO_CODE_DEPLOY,
  'AWS::CodeDeploy::DeploymentGroup': NO_CODE_DEPLOY,
  'AWS::CloudWatch::Alarm': 'MiniStack evaluates no metric math.',
  'AWS::Logs::QueryDefinition': 'MiniStack saves no queries.',
  'AWS::WAFv2::WebACLAssociation': WEB_ACL,
  'AWS::WAFv2::LoggingConfiguration': WEB_ACL,
};

/** The parts of a resource that matter here. */
interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  UpdatePolicy?: object;
  DependsOn?: string | readonly string[];
}

/**
 * Leaves out of a template what the emulator refuses, and dependencies on it.
 *
 * @returns a text that says what was left out: a line per reason.
 */
export async function leaveOutRefused(templateFile: string): Promise<string> {
  const text = await readFile(templateFile, 'utf8');
  // MiniStack matches a missing map, unlike AWS, and nothing below a missing map.
  const template = JSON.parse(text.replaceAll(MISSING_TEXT, String.raw`[{\"exists\":false}]`));
  const resources: Record<string, Resource> = template.Resources;
  const leftOut = Object.entries(resources).flatMap(([name, resource]) => {
    const { Type, Properties, UpdatePolicy } = resource;
    const reason = REFUSED[Type];
    if (reason && (Type !== 'AWS::CloudWatch::Alarm' || Properties?.Metrics)) {
      delete resources[name];
      return { name, reason };
    }
    if (!UpdatePolicy) return [];
    delete resource.UpdatePolicy;
    return { name: `${name}.UpdatePolicy`, reason: NO_CODE_DEPLOY };
  });
  for (const resource of Object.values(resources)) {
    if (!resource.DependsOn) continue;
    resource.DependsOn = [resource.DependsOn].flat().filter((name) => name in resources);
  }
  await writeFile(templateFile, JSON.stringify(template));
  const lines = [...Map.groupBy(leftOut, ({ reason }) => reason)].map(
    ([reason, those]) => `  ${reason} ${those.map(({ name }) => name).join(', ')}`,
  );
  return ['Left out for the emulator:', ...lines].join('\n');
}

/**
 * Gives the tables of a template the properties that they have in another one. MiniStack replaces a
 * table when a property changes, and CloudFormation does not: test/infrastructure/updates.test.ts.
 */
export async function keepTables(templateFile: string, otherFile: string): Promise<void> {
  const read = async (file: string) => JSON.parse(await readFile(file, 'utf8'));
  const [template, other] = [await read(templateFile), await read(otherFile)];
  for (const [name, resource] of Object.entries<Resource>(template.Resources)) {
    if (resource.Type !== 'AWS::DynamoDB::GlobalTable') continue;
    Object.assign(resource, { Properties: other.Resources[name].Properties });
  }
  await writeFile(templateFile, JSON.stringify(template));
}

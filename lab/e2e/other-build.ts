import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCloudAssembly } from '../../packages/local/synthesize.ts';

/** The parts of a resource that matter here. */
interface Resource {
  readonly Type: string;
  readonly Properties: { readonly PolicyDocument: { Statement: object[] } };
}

/**
 * Turns a cloud assembly into one that differs from each release, as the next release will: by the
 * code of each function, an output and a permission.
 */
export async function differFromReleases(cloudAssembly: string): Promise<void> {
  const { stackName, template: read, assetFolders } = await readCloudAssembly(cloudAssembly);
  const files = ['template', 'assets'].map((part) =>
    join(cloudAssembly, `${stackName}.${part}.json`),
  );
  let [template = '', assets = ''] = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  for (const { codeKey = '' } of read.functions()) {
    await appendFile(join(assetFolders.get(codeKey) ?? '', 'index.mjs'), '\n// Another build.\n');
    [template, assets] = [template, assets].map((text) =>
      text.replaceAll(codeKey, `other-${codeKey}`),
    ) as [string, string];
  }
  const resources: Record<string, Resource> = JSON.parse(template).Resources;
  for (const [id, { Type }] of Object.entries(resources)) {
    // The CDK derives the id of a version from the code.
    if (Type === 'AWS::Lambda::Version') template = template.replaceAll(id, `${id}Other`);
  }
  const other = JSON.parse(template);
  other.Outputs.OtherBuild = { Value: 'true' };
  const policy = Object.values<Resource>(other.Resources).find(
    ({ Type }) => Type === 'AWS::IAM::Policy',
  );
  const Statement = { Effect: 'Allow', Action: 'sts:GetCallerIdentity', Resource: '*' };
  policy?.Properties.PolicyDocument.Statement.push(Statement);
  await Promise.all(
    [JSON.stringify(other), assets].map((text, at) => writeFile(files[at] ?? '', text)),
  );
}

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AssemblyManifest, AssetManifest } from 'aws-cdk-lib/cloud-assembly-schema';
import { UserError } from 'customer-data-api-deployment/program';
import { Template } from './template.ts';

const PROJECT = new URL('../..', import.meta.url);

/** The output of `cdk synth`. */
export interface Synthesized {
  readonly stackName: string;
  readonly template: Template;
  /** The folders of the functions' code, by S3 object key in the template. */
  readonly assetFolders: ReadonlyMap<string, string>;
}

/**
 * Synthesizes the stack and bundles the functions, without the CDK's command line and without
 * validation, which take longer than the rest: `cdk deploy` validates what it deploys.
 *
 * @param context CDK context as `name=value`: `stage`, and `set.<name>` for a setting.
 * @throws UserError with the output if synthesis fails.
 */
export async function synthesize(
  folder: string,
  context: readonly string[] = [],
): Promise<Synthesized> {
  const { context: flags } = JSON.parse(await readFile(new URL('cdk.json', PROJECT), 'utf8'));
  const chosen = context.map((setting) => {
    const [name = '', ...value] = setting.split('=');
    return [name, value.join('=')];
  });
  // What the command line gives an app.
  const env = {
    ...process.env,
    CDK_OUTDIR: folder,
    CDK_CONTEXT_JSON: JSON.stringify({ ...flags, ...Object.fromEntries(chosen) }),
    CDK_VALIDATION: 'false',
  };
  try {
    await promisify(execFile)(process.execPath, ['bin/app.ts'], { cwd: PROJECT, env });
  } catch (error) {
    throw new UserError(
      `The stack could not be synthesized.\n${(error as { stderr: string }).stderr}`,
    );
  }
  return readCloudAssembly(folder);
}

/** Reads the only stack of an existing cloud assembly. Throws UserError if there is none. */
export async function readCloudAssembly(folder: string): Promise<Synthesized> {
  const read = async (file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'));

  const { artifacts = {} }: AssemblyManifest = await read('manifest.json').catch(() => {
    throw new UserError(`There is no cloud assembly in ${folder}.`);
  });
  const [stackName] =
    Object.entries(artifacts).find(([, { type }]) => type === 'aws:cloudformation:stack') ?? [];
  if (!stackName) throw new UserError(`There is no stack in ${folder}.`);
  const { files = {} }: AssetManifest = await read(`${stackName}.assets.json`);
  return {
    stackName,
    template: new Template(await read(`${stackName}.template.json`), stackName),
    assetFolders: new Map(
      Object.values(files).flatMap(({ source, destinations }) =>
        Object.values(destinations).map(({ objectKey }) => [
          objectKey,
          join(folder, source.path ?? ''),
        ]),
      ),
    ),
  };
}

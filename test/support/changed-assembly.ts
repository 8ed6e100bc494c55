import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnvironmentVariable } from '../../core/platform/environment.ts';
import { readCloudAssembly, type Synthesized } from '../../local/synthesize.ts';
import { Template } from '../../local/template.ts';

/** What a test changes of the stack. */
export interface Changes {
  /**
   * Variables of the functions: those that the stack sets, and those of AWS's SDKs, which put something between a
   * function and what it calls.
   */
  readonly environment?: Readonly<
    Partial<Record<EnvironmentVariable | `AWS_ENDPOINT_URL_${'DYNAMODB' | 'SQS'}`, string>>
  >;
  /** Of the queue of promo events: after how long a message comes again, and how often. */
  readonly queue?:
    | { readonly visibilityTimeoutSeconds: number; readonly maxReceiveCount: number }
    | undefined;
}

/** Reads a cloud assembly, with changes. */
export async function changedAssembly(
  folder: string,
  { environment = {}, queue }: Changes,
): Promise<Synthesized> {
  const assembly = await readCloudAssembly(folder);
  const body = JSON.parse(
    await readFile(join(folder, `${assembly.stackName}.template.json`), 'utf8'),
  );
  // biome-ignore lint/suspicious/noExplicitAny: a template as it is
  for (const { Properties } of Object.values<any>(body.Resources)) {
    const variables = Properties.Environment?.Variables ?? {};
    for (const [name, value] of Object.entries(environment)) {
      if (
        name in variables ||
        ('POWERTOOLS_SERVICE_NAME' in variables && name.startsWith('AWS_'))
      ) {
        variables[name] = value;
      }
    }
    if (queue && Properties.RedrivePolicy) {
      Properties.VisibilityTimeout = queue.visibilityTimeoutSeconds;
      Properties.RedrivePolicy.maxReceiveCount = queue.maxReceiveCount;
    }
  }
  return { ...assembly, template: new Template(body, assembly.stackName) };
}

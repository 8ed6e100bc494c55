import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCloudAssembly, type Synthesized, Template } from 'customer-data-api-local';
import type { EnvironmentVariable } from '../../core/runtime/environment.ts';
import type { Throttle } from '../../functions/http/operation.ts';

/** A service of AWS, as its endpoint variable names it. */
type RedirectedService = 'EVENTBRIDGE' | 'DYNAMODB' | 'SQS' | 'COGNITO_IDENTITY_PROVIDER';

/** A test's changes to the stack. */
export interface Changes {
  /**
   * The template of other settings. The functions' code, which does not depend on them, is that of
   * the assembly.
   */
  readonly template?: object | undefined;
  /**
   * Replaces environment variables of the functions. The endpoint variables of the AWS SDKs are
   * added, to put a proxy between a function and a service, and Node's, to share compiled code.
   */
  readonly environment?: Readonly<
    Partial<
      Record<
        EnvironmentVariable | `AWS_ENDPOINT_URL_${RedirectedService}` | 'NODE_COMPILE_CACHE',
        string
      >
    >
  >;
  /** The redelivery of the queue of promo events: after how long, and how often. */
  readonly queue?:
    | { readonly visibilityTimeoutSeconds: number; readonly maxReceiveCount: number }
    | undefined;
  /** Replaces the limits of the paths that have limits of their own. */
  readonly throttle?: Throttle | undefined;
}

/** Reads a cloud assembly and applies changes to its template. */
export async function changedAssembly(
  folder: string,
  { template, environment = {}, queue, throttle }: Changes,
): Promise<Synthesized> {
  const assembly = await readCloudAssembly(folder);
  const original = JSON.parse(
    await readFile(join(folder, `${assembly.stackName}.template.json`), 'utf8'),
  );
  const body = template ? withCodeOf(original, structuredClone(template)) : original;
  // biome-ignore lint/suspicious/noExplicitAny: each resource type has its own properties
  for (const { Properties } of Object.values<any>(body.Resources)) {
    const variables = Properties.Environment?.Variables ?? {};
    for (const [name, value] of Object.entries(environment)) {
      if (
        name in variables ||
        ('POWERTOOLS_SERVICE_NAME' in variables && /^(AWS|NODE)_/.test(name))
      ) {
        variables[name] = value;
      }
    }
    if (queue && Properties.RedrivePolicy) {
      Properties.VisibilityTimeout = queue.visibilityTimeoutSeconds;
      Properties.RedrivePolicy.maxReceiveCount = queue.maxReceiveCount;
    }
    for (const settings of Properties.MethodSettings ?? []) {
      if (!throttle || settings.ResourcePath === '/*') continue;
      settings.ThrottlingRateLimit = throttle.requestsPerSecond;
      settings.ThrottlingBurstLimit = throttle.burst;
    }
  }
  return { ...assembly, template: new Template(body, assembly.stackName) };
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function withCodeOf(original: any, template: any): any {
  for (const [logicalId, { Properties }] of Object.entries<typeof template>(template.Resources)) {
    if (Properties?.Code) Properties.Code = original.Resources[logicalId].Properties.Code;
  }
  return template;
}

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../../core/platform/command-error.ts';

/** A part of a template that the emulator refuses. */
export interface Refused {
  /** The type of the resources. */
  readonly type: string;
  /** Whether a resource of the type is refused; by default all of them are. */
  readonly isRefused?: (properties: Readonly<Record<string, unknown>>) => boolean;
  /** The path to what is left out of the resource, such as `UpdatePolicy`; without it, the whole resource is. */
  readonly part?: readonly string[];
  readonly reason: string;
}

/** What was left out of a template. */
export interface LeftOut {
  readonly logicalId: string;
  readonly type: string;
  /** The part of the resource; undefined for the whole resource. */
  readonly part: string | undefined;
  readonly reason: string;
}

const NO_CODE_DEPLOY = 'MiniStack has no CodeDeploy: an update shifts all requests at once.';
const WEB_ACL = 'MiniStack stores a web ACL, but applies it to no request.';

/** Everything that MiniStack refuses. */
export const REFUSED: readonly Refused[] = [
  { type: 'AWS::CodeDeploy::Application', reason: NO_CODE_DEPLOY },
  { type: 'AWS::CodeDeploy::DeploymentConfig', reason: NO_CODE_DEPLOY },
  { type: 'AWS::CodeDeploy::DeploymentGroup', reason: NO_CODE_DEPLOY },
  { type: 'AWS::Lambda::Alias', part: ['UpdatePolicy'], reason: NO_CODE_DEPLOY },
  {
    type: 'AWS::CloudWatch::Alarm',
    isRefused: ({ Metrics }) => Metrics !== undefined,
    reason: 'MiniStack evaluates no metric math.',
  },
  { type: 'AWS::CloudWatch::CompositeAlarm', reason: 'MiniStack has no composite alarms.' },
  { type: 'AWS::Logs::QueryDefinition', reason: 'MiniStack saves no queries.' },
  { type: 'AWS::WAFv2::WebACLAssociation', reason: WEB_ACL },
  { type: 'AWS::WAFv2::LoggingConfiguration', reason: WEB_ACL },
];

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
}

interface TemplateBody {
  readonly Resources: Readonly<Record<string, Resource>>;
}

/**
 * Leaves out of a template what the emulator refuses. A `DependsOn` on a resource that is left out is removed as well.
 *
 * @throws CommandError if something that stays refers to a resource that is left out.
 */
export function withoutRefused<TTemplate extends TemplateBody>(
  template: TTemplate,
  refused: readonly Refused[] = REFUSED,
): { readonly template: TTemplate; readonly leftOut: readonly LeftOut[] } {
  const leftOut = Object.entries(template.Resources).flatMap(([logicalId, resource]) =>
    refused
      .filter(({ type, isRefused = () => true, part = [] }) => {
        if (type !== resource.Type || !isRefused(resource.Properties ?? {})) return false;
        return part.length === 0 || valueAt(resource, part) !== undefined;
      })
      .map(({ type, part, reason }) => ({ logicalId, type, part: part?.join('.'), reason })),
  );
  const gone = new Set(leftOut.filter(({ part }) => !part).map(({ logicalId }) => logicalId));
  const resources = Object.entries(template.Resources)
    .filter(([logicalId]) => !gone.has(logicalId))
    .map(([logicalId, resource]) => {
      const parts = leftOut.filter((entry) => entry.logicalId === logicalId && entry.part);
      const kept = parts.reduce<object>(
        (value, { part = '' }) => withoutPart(value, part.split('.')),
        resource,
      );
      return [logicalId, withoutDependencies(kept as Resource, gone)];
    });
  const kept = { ...template, Resources: Object.fromEntries(resources) };
  const [dangling] = references(kept).filter(({ target }) => gone.has(target));
  if (dangling) {
    const { Type } = template.Resources[dangling.target] ?? {};
    throw new CommandError(
      `${dangling.from} refers to ${dangling.target} (${Type}), which is left out for the emulator. Add ${dangling.from} to the list in test/e2e/left-out.ts.`,
    );
  }
  return { template: kept, leftOut };
}

/** Rewrites the template of a stack in a cloud assembly, so that `cdk deploy --app` deploys it to the emulator. */
export async function leaveOutRefused(
  cloudAssembly: string,
  stackName: string,
): Promise<readonly LeftOut[]> {
  const file = join(cloudAssembly, `${stackName}.template.json`);
  const { template, leftOut } = withoutRefused(JSON.parse(await readFile(file, 'utf8')));
  await writeFile(file, JSON.stringify(template));
  return leftOut;
}

/** Says what was left out: a line per reason. */
export function describeLeftOut(leftOut: readonly LeftOut[]): string {
  const byReason = Map.groupBy(leftOut, ({ reason }) => reason);
  const lines = [...byReason].map(([reason, entries]) => {
    const names = entries.map(({ logicalId, part }) => (part ? `${logicalId}.${part}` : logicalId));
    return `  ${reason} ${names.join(', ')}`;
  });
  return ['Left out for the emulator:', ...(lines.length > 0 ? lines : ['  nothing'])].join('\n');
}

function valueAt(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value;
  return valueAt((value as Record<string, unknown> | undefined)?.[first], rest);
}

function withoutPart(value: object, [first = '', ...rest]: readonly string[]): object {
  const { [first]: part, ...others } = value as Record<string, unknown>;
  if (rest.length === 0) return others;
  return { ...others, [first]: withoutPart(part as object, rest) };
}

function withoutDependencies(resource: Resource, gone: ReadonlySet<string>): Resource {
  const { DependsOn, ...others } = resource;
  const dependencies = [DependsOn ?? []].flat().filter((logicalId) => !gone.has(logicalId));
  return dependencies.length > 0 ? { ...others, DependsOn: dependencies } : others;
}

interface Reference {
  /** The path to the reference: `Resources.Pipe`, or `Outputs.BusName`. */
  readonly from: string;
  /** The logical id that it names. */
  readonly target: string;
}

function references(template: object): Reference[] {
  return Object.entries(template).flatMap(([section, entries]) =>
    typeof entries === 'object' && entries !== null
      ? Object.entries(entries).flatMap(([name, value]) =>
          targetsIn(value).map((target) => ({ from: `${section}.${name}`, target })),
        )
      : [],
  );
}

/** The logical ids that a value of a template refers to. */
function targetsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref') return [String(inner)];
    // As a list, or in one string: `[id, attribute]` or `id.attribute`.
    if (key === 'Fn::GetAtt') return String([inner].flat()[0]).split('.').slice(0, 1);
    if (key === 'Fn::Sub') {
      const text = String([inner].flat()[0]);
      const names = [...text.matchAll(/\$\{([^!.}]+)[^}]*\}/g)].map(([, name = '']) => name);
      return [...names, ...targetsIn(inner)];
    }
    return targetsIn(inner);
  });
}

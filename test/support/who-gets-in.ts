/* What IAM would answer, for the policies of templates: which requests one admits. */

/** A request, as IAM sees it. */
export interface Request {
  readonly action: string;
  /** The callers by kind: `AWS`, `Service` or `Federated`. */
  readonly principal: Readonly<Record<string, string>>;
  readonly resource?: string;
  /** The condition keys. */
  readonly context?: Readonly<Record<string, string>>;
}

interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Principal: '*' | Readonly<Record<string, string | readonly string[]>>;
  readonly Resource?: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | string[]>>>>;
}

/** A policy whose references are resolved. */
export interface Policy {
  readonly Statement: Statement | readonly Statement[];
}

/** Tells whether a policy of a resource or of a role admits a request. */
export function admits({ Statement }: Policy, request: Request): boolean {
  const applying = [Statement].flat().filter((one) => appliesTo(one as Statement, request));
  const effects = applying.map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

function appliesTo(
  { Action, Principal, Resource = '*', Condition = {} }: Statement,
  { action, principal, resource = '', context = {} }: Request,
): boolean {
  const tests = Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) =>
      [values].flat().some((value) => holds(operator, value, context[key])),
    ),
  );
  return (
    [Action].flat().some((pattern) => isLike(pattern, action)) &&
    [Resource].flat().some((pattern) => isLike(pattern, resource)) &&
    isNamed(Principal, principal) &&
    tests.every(Boolean)
  );
}

function isNamed(named: Statement['Principal'], principal: Request['principal']): boolean {
  if (named === '*' || named.AWS === '*') return true;
  return Object.entries(principal).some(([kind, name]) =>
    [named[kind] ?? []].flat().some((one) => one === name),
  );
}

function holds(operator: string, value: string, actual: string | undefined): boolean {
  switch (operator) {
    case 'StringEquals':
    case 'Bool':
      return actual === value;
    case 'StringLike':
    case 'ArnLike':
    // IAM treats both alike.
    case 'ArnEquals':
      return actual !== undefined && isLike(value, actual);
    default:
      throw new Error(`${operator} is not evaluated here.`);
  }
}

/** `*` and `?` are the wildcards of IAM. */
function isLike(pattern: string, text: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  const source = escaped.replaceAll('*', '.*').replaceAll('?', '.');
  return RegExp(`^${source}$`, 's').test(text);
}

// biome-ignore lint/suspicious/noExplicitAny: any part of a template
type Part = any;

/**
 * Returns the resources of a template with some parameters, as CloudFormation resolves them. The
 * name of a resource is its logical id.
 *
 * @throws Error if a parameter does not match its pattern, or an assertion of a rule does not hold.
 */
export function resourcesWith(
  template: Part,
  parameters: Readonly<Record<string, string>>,
): Record<string, { readonly Type: string; readonly Properties: Part }> {
  const { Parameters = {}, Conditions = {}, Rules = {}, Resources } = template;
  for (const [name, value] of Object.entries(parameters)) {
    const { AllowedPattern = '.*' } = Parameters[name] ?? {};
    if (!RegExp(`^(?:${AllowedPattern})$`).test(value)) throw new Error(`${name} is ${value}`);
  }
  const parameter = (name: string) => parameters[name] ?? Parameters[name]?.Default ?? name;
  const resolve = (part: Part): Part => {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(resolve);
    const [[name = '', value] = []] = Object.entries<Part>(part);
    switch (name) {
      case 'Ref':
        return parameter(value);
      case 'Condition':
        return typeof value === 'string'
          ? resolve(Conditions[value])
          : { Condition: resolve(value) };
      case 'Fn::GetAtt':
        return [value].flat().join('.');
      case 'Fn::Join':
        return resolve(value[1]).join(value[0]);
      case 'Fn::Select':
        return resolve(value[1])[Number(value[0])];
      case 'Fn::Split':
        return resolve(value[1]).split(value[0]);
      case 'Fn::Sub': {
        const [text, variables = {}] = [value].flat();
        return text.replaceAll(/\$\{([\w:.]+)\}/g, (_: string, one: string) =>
          one in variables ? resolve(variables[one]) : parameter(one),
        );
      }
      case 'Fn::If':
        return resolve(resolve(Conditions[value[0]]) ? value[1] : value[2]);
      case 'Fn::Equals':
        return resolve(value[0]) === resolve(value[1]);
      case 'Fn::Not':
        return !resolve(value[0]);
      case 'Fn::And':
        return value.every(resolve);
      case 'Fn::Or':
        return value.some(resolve);
    }
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, resolve(one)]));
  };
  // Each template of the CDK has a rule about the account in which it is deployed.
  const { CheckBootstrapVersion, ...rules } = Rules;
  for (const { Assertions } of Object.values<Part>(rules)) {
    for (const { Assert, AssertDescription } of Assertions) {
      if (!resolve(Assert)) throw new Error(AssertDescription);
    }
  }
  return resolve(Resources);
}

/** Returns what the policies of the template's roles allow, such as `sqs:SendMessage Queue.Arn`. */
export function permissionsIn(template: Part): string[] {
  const resources = Object.values(resourcesWith(template, { 'AWS::Partition': 'aws' }));
  const managed = resources.flatMap(({ Type, Properties }) =>
    Type === 'AWS::IAM::Role' ? (Properties.ManagedPolicyArns ?? []) : [],
  );
  const statements: Statement[] = resources.flatMap(({ Type, Properties }) =>
    Type === 'AWS::IAM::Policy' ? Properties.PolicyDocument.Statement : [],
  );
  const allowed = statements.flatMap(({ Action, Resource = '*' }) =>
    [Action]
      .flat()
      // The CDK ends the name of a resource with eight digits of a hash.
      .flatMap((one) => [Resource].flat().map((id) => `${one} ${id.replace(/[0-9A-F]{8}\b/, '')}`)),
  );
  return [...managed, ...allowed].sort();
}

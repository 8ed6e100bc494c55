/**
 * Schemas of the SDK: an operation has that of its input at index 4, and a structure the names of
 * its members.
 */
type StructureSchema = readonly [number, string, string, unknown, readonly string[]];
type OperationSchema = readonly [
  number,
  string,
  string,
  unknown,
  StructureSchema | (() => StructureSchema),
];

/** The services that the documents call, by the names of the AWS CLI. */
const SDKS: Readonly<Record<string, () => Promise<object>>> = {
  cloudformation: () => import('@aws-sdk/client-cloudformation'),
  cloudwatch: () => import('@aws-sdk/client-cloudwatch'),
  'cognito-idp': () => import('@aws-sdk/client-cognito-identity-provider'),
  dynamodb: () => import('@aws-sdk/client-dynamodb'),
  events: () => import('@aws-sdk/client-eventbridge'),
  lambda: () => import('@aws-sdk/client-lambda'),
  logs: () => import('@aws-sdk/client-cloudwatch-logs'),
  secretsmanager: () => import('@aws-sdk/client-secrets-manager'),
  sqs: () => import('@aws-sdk/client-sqs'),
  wafv2: () => import('@aws-sdk/client-wafv2'),
};

/** Options of the AWS CLI itself. */
const GLOBAL_OPTIONS = ['cli-input-json', 'endpoint-url', 'output', 'profile', 'query', 'region'];
/** Options without a value. `--no-` before one switches it off. */
const FLAGS = ['deletion-protection-enabled', 'enable-termination-protection', 'permanent'];

/** A call of the AWS CLI, as it was typed. */
export interface AwsCall {
  /** Its name in the SDK, such as `PutItem`. */
  readonly operation: string;
  /** The members of the request as strings, by their names in the API. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Reads a call of the AWS CLI, with what the SDK knows of its service.
 *
 * @param args the words after `aws`.
 * @throws Error for a service, an operation or an option that does not exist.
 */
export async function readAwsCall([
  service = '',
  name = '',
  ...words
]: readonly string[]): Promise<AwsCall> {
  const sdk = await SDKS[service]?.();
  if (!sdk) throw new Error(`aws ${service}: a service that the documents do not use`);
  const operation = pascalCase(name);
  const schema: OperationSchema | undefined = Object(sdk)[`${operation}$`];
  if (!schema) throw new Error(`aws ${service} has no operation ${name}`);
  const input = typeof schema[4] === 'function' ? schema[4]() : schema[4];

  const parameters: Record<string, string> = {};
  for (let index = 0; index < words.length; index++) {
    const option = /^--([a-z-]+)$/.exec(words[index] ?? '')?.[1];
    if (!option) throw new Error(`aws ${service} ${name}: ${words[index]} is not an option`);
    const flag = option.replace(/^no-/, '');
    const value = FLAGS.includes(flag) ? String(flag === option) : words[++index];
    if (value === undefined) throw new Error(`aws ${service} ${name}: --${option} has no value`);
    if (GLOBAL_OPTIONS.includes(option)) continue;
    const named = pascalCase(FLAGS.includes(flag) ? flag : option).toLowerCase();
    // Some services start the names of members with a small letter.
    const member = input[4].find((one) => one.toLowerCase() === named);
    if (!member) throw new Error(`aws ${service} ${name} has no option --${option}`);
    parameters[member] = value;
  }
  return { operation, parameters };
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

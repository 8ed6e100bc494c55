import { devNull } from 'node:os';
import { createInterface } from 'node:readline';
import { REGION } from 'customer-data-api-deployment/local';
import type { FunctionDefinition } from '../template.ts';
import { ExecutionEnvironment } from './execution-environment.ts';

export interface LambdaFunctionProps {
  readonly definition: FunctionDefinition;
  /** The folder that would be deployed as its code. */
  readonly folder: string;
  /** Endpoints of the emulated services, added to the template's environment variables. */
  readonly endpoints: Readonly<Record<string, string>>;
  /** Receives each line that the function logs. */
  readonly log: (line: string) => void;
}

/**
 * A function of the stack. Runs the deployable bundle in a worker thread with its own environment
 * variables. As in Lambda, the first invocation starts the thread, and later ones reuse it. A new
 * thread replaces one that crashed or timed out.
 */
export class LambdaFunction {
  #props: LambdaFunctionProps;
  #environment: ExecutionEnvironment | undefined;

  constructor(props: LambdaFunctionProps) {
    this.#props = props;
  }

  /** Runs the handler. Throws an Error if the function fails or times out; the log tells why. */
  async invoke(event: unknown): Promise<unknown> {
    this.#environment ??= this.#start();
    const result = await this.#environment.invoke(event);
    if ('response' in result) return result.response;
    this.#props.log(result.error);
    throw new Error(result.error);
  }

  /** Ends the thread. Invocations in flight fail. */
  async stop(): Promise<void> {
    await this.#environment?.end();
  }

  /**
   * Deploys another version: ends the thread, and starts the next one with it.
   *
   * @param environment replaces variables of the last version.
   * @param timeoutSeconds replaces its timeout.
   */
  async deploy({
    folder = this.#props.folder,
    environment,
    timeoutSeconds = this.#props.definition.timeoutSeconds,
  }: Partial<
    Pick<LambdaFunctionProps, 'folder'> & Pick<FunctionDefinition, 'environment' | 'timeoutSeconds'>
  >) {
    const last = this.#props.definition;
    const variables = { ...last.environment, ...environment };
    const definition = { ...last, environment: variables, timeoutSeconds };
    this.#props = { ...this.#props, folder, definition };
    await this.stop();
  }

  #start(): ExecutionEnvironment {
    const { definition, folder, log } = this.#props;
    const { handler, timeoutSeconds } = definition;
    const environment = new ExecutionEnvironment({
      folder,
      handler,
      timeoutSeconds,
      variables: this.#variables(),
      onEnd: () => {
        if (this.#environment === environment) this.#environment = undefined;
      },
    });
    for (const input of environment.output) createInterface({ input }).on('line', log);
    return environment;
  }

  /**
   * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
   */
  #variables(): Record<string, string> {
    const { logicalId, memoryMegabytes, environment } = this.#props.definition;
    return {
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_LAMBDA_FUNCTION_NAME: logicalId,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      // Lambda has no AWS configuration files: a developer's own must not affect the functions.
      AWS_CONFIG_FILE: devNull,
      AWS_SHARED_CREDENTIALS_FILE: devNull,
      ...this.#props.endpoints,
      ...environment,
    };
  }
}

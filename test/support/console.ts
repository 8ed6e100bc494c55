import { vi } from 'vitest';
import { api } from '../../cli/console/api.ts';
import { operatorOf } from '../../cli/console/caller.ts';
import { deploymentOf } from '../../cli/deployment/deployment.ts';
import { newestVersion } from '../../core/history/versions-table.ts';
import { type Answers, startAws } from './aws.ts';
import { startService } from './service.ts';

/** A call of the console's API. */
export interface ConsoleCall {
  readonly body?: unknown;
  /** The digest in `If-Match`. */
  readonly base?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const OPERATOR = 'arn:aws:iam::123456789012:user/jane';

/**
 * Runs the service, and calls the console's API without a socket. The caller's deployment is in
 * AWS, whose calls the service answers unless a test does.
 */
export async function startConsoleApi() {
  const service = await startService({ CONFIG_CACHE_SECONDS: '0' });
  const { database, queues, events } = service.servers;
  const aws = await startAws({ DynamoDB: database, AmazonSQS: queues, AWSEvents: events });
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
  const { JwksUri: _, ...others } = service.outputs;
  const outputs = {
    ...{ ...others, RetainsData: 'true' },
    ...{ DynamoDbEndpoint: aws.endpoint, SqsEndpoint: aws.endpoint },
  };
  const caller = operatorOf(deploymentOf({ stackName: 'CustomerDataApi-prod', outputs }));
  const answer = (answers: Answers = {}) =>
    aws.answer({ GetCallerIdentity: `<Arn>${OPERATOR}</Arn>`, ...answers });
  answer();

  async function call(method: string, path: string, { body, base, headers }: ConsoleCall = {}) {
    const request = new Request(`http://127.0.0.1/api/${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(base !== undefined && { 'If-Match': `"${base}"` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const response = await api(request, caller);
    const text = await response.text();
    const isJson = response.headers.get('Content-Type') === 'application/json';
    const { status, headers: sent } = response;
    // biome-ignore lint/suspicious/noExplicitAny: each path has its own, which its tests check
    return { status, headers: sent, text, body: (isJson ? JSON.parse(text) : undefined) as any };
  }

  return {
    ...{ service, aws, caller, answer, call },
    get: (path: string) => call('GET', path),
    /** Waits until a client has a number of versions. */
    recorded: (clientId: string, version: number) =>
      vi.waitUntil(
        async () => (await newestVersion(caller.tables, clientId))?.version === version,
        { timeout: 10_000, interval: 5 },
      ),
    stop: async () => {
      caller[Symbol.dispose]();
      await aws.stop();
      await service.stop();
      vi.unstubAllEnvs();
    },
  };
}

export type ConsoleApi = Awaited<ReturnType<typeof startConsoleApi>>;

import { GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { apiGatewayClient, lambdaClient } from './aws-clients.ts';
import type { Check, Diagnosis } from './diagnosis.ts';
import { stackResources } from './stack-resources.ts';

/**
 * AWS's default; new accounts may start with 10.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const USUAL_CONCURRENCY = 1000;

/**
 * AWS's default; some Regions have 2,500.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const USUAL_REQUESTS = 10_000;

/** The role with which API Gateway writes logs: one for all APIs of the account in the region. */
export const gatewayLogs: Check = {
  name: 'gateway logs',
  notLocal: 'the local server has no gateway logs',
  run: async function* (deployment) {
    const logs = (await stackResources(deployment)).some(
      ({ type, logicalId }) => type === 'AWS::Logs::LogGroup' && logicalId.startsWith('ApiLogs'),
    );
    if (!logs) {
      yield { status: 'note', message: 'The setting accessLogs is off: API Gateway logs nothing.' };
      return;
    }
    const client = apiGatewayClient(deployment.outputs.Region);
    try {
      const { cloudwatchRoleArn } = await client.send(new GetAccountCommand({}));
      yield cloudwatchRoleArn
        ? { status: 'ok', message: `API Gateway writes its logs as ${cloudwatchRoleArn}.` }
        : {
            status: 'problem',
            message:
              'API Gateway has no role to write its logs with. Set gatewayLogRole to "new" and deploy.',
          };
    } finally {
      client.destroy();
    }
  },
};

/** How many requests per second API Gateway takes for the account. */
export const requests: Check = {
  name: 'requests',
  notLocal: 'the local server has no limit',
  run: ({ outputs }) => judgeRequests(outputs.Region),
};

/** Judges how many requests per second API Gateway takes for the account in a Region. */
export async function* judgeRequests(region: string): AsyncGenerator<Diagnosis> {
  const client = apiGatewayClient(region);
  try {
    const { throttleSettings } = await client.send(new GetAccountCommand({}));
    const { rateLimit = 0 } = throttleSettings ?? {};
    const limit = `API Gateway takes at most ${rateLimit} requests per second for all APIs of the account`;
    yield rateLimit < USUAL_REQUESTS
      ? {
          status: 'problem',
          message: `${limit}; ${USUAL_REQUESTS} are usual. Request an increase in Service Quotas, or lower the setting throttling to half of it.`,
        }
      : { status: 'ok', message: `${limit}.` };
  } finally {
    client.destroy();
  }
}

/** How many functions the account can run at a time. */
export const concurrency: Check = {
  name: 'concurrency',
  notLocal: 'the local server has no limit',
  run: async function* ({ outputs }) {
    const client = lambdaClient(outputs.Region);
    try {
      const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
      const { ConcurrentExecutions = 0, UnreservedConcurrentExecutions = 0 } = AccountLimit ?? {};
      const limits = `The account runs at most ${ConcurrentExecutions} functions at a time, ${UnreservedConcurrentExecutions} of them unreserved`;
      yield ConcurrentExecutions < USUAL_CONCURRENCY
        ? {
            status: 'problem',
            message: `${limits}; ${USUAL_CONCURRENCY} are usual. Request an increase in Service Quotas.`,
          }
        : { status: 'ok', message: `${limits}.` };
    } finally {
      client.destroy();
    }
  },
};

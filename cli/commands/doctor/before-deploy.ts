import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { UsageError } from '../../../core/user-error.ts';
import { SettingsError } from '../../../lib/settings/settings.ts';
import { readStage } from '../../../lib/settings/stage.ts';
import { inRegion } from '../../deployment/aws-clients.ts';
import { judgeRequests } from './account.ts';
import { apiGatewayClient, lambdaClient } from './aws-clients.ts';
import { type Named, runChecks } from './diagnose.ts';
import type { Diagnosis } from './diagnosis.ts';

/**
 * What Lambda does not let anybody reserve.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
const UNRESERVABLE = 100;

/**
 * Checks whether the account and region of the environment have what the first deployment of a
 * stage needs, so that CloudFormation does not fail halfway.
 *
 * @throws UsageError if there is no such stage, or no region.
 */
export async function* diagnoseAccount(stage: string): AsyncGenerator<Named> {
  const settings = settingsOf(stage);
  const { gatewayLogRole, reservedConcurrency } = settings;
  const region = settings.region ?? (await usualRegion());
  yield* runChecks([
    { name: 'gateway logs', run: () => gatewayLogs(region, gatewayLogRole) },
    { name: 'requests', run: () => judgeRequests(region) },
    {
      name: 'concurrency',
      run: () =>
        concurrency(
          region,
          Object.values(reservedConcurrency).map((reserved = 0) => reserved),
        ),
    },
  ]);
}

function usualRegion(): Promise<string> {
  return new APIGatewayClient(inRegion()).config.region().catch(() => {
    throw new UsageError('The region is unknown. Name it with --region, or set AWS_REGION.');
  });
}

function settingsOf(stage: string) {
  try {
    return readStage({ stage }).settings;
  } catch (error) {
    throw error instanceof SettingsError ? new UsageError(error.message, error.code) : error;
  }
}

async function* gatewayLogs(
  region: string,
  role: 'new' | 'existing' | undefined,
): AsyncGenerator<Diagnosis> {
  // The settings have no role without logs.
  if (!role) {
    yield { status: 'note', message: 'The setting accessLogs is off: API Gateway logs nothing.' };
    return;
  }
  const client = apiGatewayClient(region);
  try {
    const { cloudwatchRoleArn } = await client.send(new GetAccountCommand({}));
    if (cloudwatchRoleArn && role === 'new') {
      yield {
        status: 'problem',
        message: `API Gateway writes its logs as ${cloudwatchRoleArn}, and the stack would replace this role for all APIs of the account. Set gatewayLogRole to "existing".`,
      };
    } else if (!cloudwatchRoleArn && role === 'existing') {
      yield {
        status: 'problem',
        message:
          'API Gateway has no role to write its logs with, so the deployment would fail. Set gatewayLogRole to "new".',
      };
    } else {
      yield { status: 'ok', message: `The setting gatewayLogRole is "${role}", as it must be.` };
    }
  } finally {
    client.destroy();
  }
}

async function* concurrency(
  region: string,
  reserved: readonly number[],
): AsyncGenerator<Diagnosis> {
  const sum = reserved.reduce((total, one) => total + one, 0);
  const client = lambdaClient(region);
  try {
    const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
    const left = (AccountLimit?.UnreservedConcurrentExecutions ?? 0) - sum;
    const sentence = `The stage reserves ${sum} concurrent executions, which leaves ${left} unreserved`;
    yield sum > 0 && left < UNRESERVABLE
      ? {
          status: 'problem',
          message: `${sentence}; Lambda keeps ${UNRESERVABLE}, so the deployment would fail. Request an increase in Service Quotas, or lower reservedConcurrency.`,
        }
      : { status: 'ok', message: `${sentence}.` };
  } finally {
    client.destroy();
  }
}

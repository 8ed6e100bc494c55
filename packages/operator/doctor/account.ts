import { readStage, SettingsError } from 'customer-data-api/stack';
import { usualRegion } from 'customer-data-api-deployment';
import { UsageError } from 'customer-data-api-deployment/program';
import { checkGatewayLogRole, checkReserved } from './gateway-logs.ts';
import { type NamedResult, runChecks } from './results.ts';
import { checkUserAttributes } from './user-attributes.ts';

/**
 * Checks whether the account and region of the environment have what a deployment of a stage needs,
 * and whether its user pool can become what the settings say, so that CloudFormation does not fail
 * halfway.
 *
 * @throws UsageError if there is no such stage, or no region.
 */
export async function* checkAccount(stage: string): AsyncGenerator<NamedResult> {
  const settings = settingsOf(stage);
  const { gatewayLogRole, reservedConcurrency } = settings;
  const reserved = Object.values(reservedConcurrency).reduce<number>(
    (sum, one = 0) => sum + one,
    0,
  );
  const region = settings.region ?? (await usualRegion());
  yield* runChecks({
    'gateway logs': () => checkGatewayLogRole(region, gatewayLogRole),
    concurrency: () => checkReserved(region, reserved),
    attributes: () => checkUserAttributes(region, `CustomerDataApi-${stage}`, settings),
  });
}

function settingsOf(stage: string) {
  try {
    return readStage({ stage }).settings;
  } catch (error) {
    throw error instanceof SettingsError ? new UsageError(error.message, error.code) : error;
  }
}

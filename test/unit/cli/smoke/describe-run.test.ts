import { expect, test } from 'vitest';
import type { Deployment } from '../../../../cli/deployment.ts';
import { CHECKS } from '../../../../cli/smoke/checks.ts';
import { describeRun } from '../../../../cli/smoke/describe-run.ts';
import { OUTPUTS } from '../../../support/outputs.ts';

const DEPLOYMENT: Deployment = {
  ...{ stackName: 'CustomerDataApi-prod', outputs: OUTPUTS, outputsFile: undefined },
  ...{ isProduction: true, requiresUserPoolClientIds: true },
  options: '--stack CustomerDataApi-prod',
};

test('a dry run in AWS names the stack, the user pool, the tables and the URL beside the checks', () => {
  const [printed, noted]: [string[], string[]] = [[], []];
  describeRun(DEPLOYMENT, {
    apiUrl: 'https://shop.example.com/',
    print: (line) => printed.push(line),
    note: (line) => noted.push(line),
  });
  expect(noted).toEqual([
    `Would create in CustomerDataApi-prod, ${OUTPUTS.Region}, and remove at the end:`,
    `  the user smoke-<random> in the user pool ${OUTPUTS.UserPoolId}`,
    '  the client smoke-<random> in the table Configs',
    '  their promo events in the table PromoEvents',
    'Would call https://shop.example.com to check that:',
  ]);
  expect(printed).toEqual(CHECKS.map(({ name }) => name));
});

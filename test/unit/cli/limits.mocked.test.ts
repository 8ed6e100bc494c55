import { CloudWatchLogsClient, StartQueryCommand } from '@aws-sdk/client-cloudwatch-logs';
import { expect, test, vi } from 'vitest';
import { countAppIdUses } from '../../../cli/commands/keys/app-id-uses.ts';
import { OUTPUTS } from '../../support/outputs.ts';

const waits = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => void waits.push(milliseconds),
}));

test('keys revoke asks twice a second whether the logs have been searched', async () => {
  const states = ['Scheduled', 'Running', 'Complete'];
  const send = vi
    .spyOn(CloudWatchLogsClient.prototype, 'send')
    .mockImplementation(async (command) =>
      command instanceof StartQueryCommand ? { queryId: 'query' } : { status: states.shift() },
    );
  const deployment = {
    ...{ stackName: 'CustomerDataApi-prod', outputs: OUTPUTS, outputsFile: undefined },
    ...{ isProduction: true, requiresUserPoolClientIds: true },
  };
  await countAppIdUses(deployment, 'demo', ['0a1b2c3d']);
  expect(states).toEqual([]);
  expect(waits).toEqual([500, 500]);
  send.mockRestore();
});

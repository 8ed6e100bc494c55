import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDB, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { appClientIds, type Outputs, readOutputs } from '../../cli/outputs.ts';
import { Cleanup } from '../../cli/smoke/cleanup.ts';
import { createClient } from '../../cli/smoke/client.ts';
import {
  application,
  apply,
  callGetConfig,
  expectFields,
  expectSuccess,
  expectUnauthorized,
  type Subject,
} from '../../cli/smoke/requests.ts';
import { createUser } from '../../cli/smoke/user.ts';
import { CommandError } from '../../core/platform/command-error.ts';
import {
  bootstrap,
  type CdkOptions,
  deploy,
  deployToEmulator,
  destroy,
  expectUnchanged,
  outputsFile,
} from './cdk.ts';
import { expectPublished } from './configuration.ts';
import type { Deployment } from './deployment.ts';
import { expectEventReplayed } from './event-bus.ts';
import { expectPrepared } from './first-calls.ts';
import { expectThrottled } from './flood.ts';
import { expectRecorded } from './history.ts';
import { describeLeftOut } from './left-out.ts';
import { listeningSockets, notOnLoopback } from './listening.ts';
import { expectNothingLost } from './queue.ts';
import { expectRestored } from './restore.ts';

/** The stage file of the deployment. */
const SETTINGS = {
  retainData: false,
  gradualDeployment: true,
  webAcl: true,
  requireUserPoolClientIds: true,
  corsOrigins: ['https://shop.example.com', 'capacitor://localhost'],
  alarmRecipients: ['ops@example.com'],
  accessLogs: true,
  gatewayLogRole: 'new',
};
/** Limits that the smoke checks keep within: they send about half as many requests to a path. */
const LIMITS = { requestsPerSecond: 1, burst: 80 };
/** The settings that the second deployment changes. MiniStack applies the limits of the stage to each path, and ignores those of a path. */
const CHANGE = {
  requestDateWindowSeconds: 600,
  throttling: { default: LIMITS, getConfig: LIMITS },
};
const HOUR_MS = 60 * 60 * 1000;

const CUSTOMER_DATA = fileURLToPath(new URL('../../bin/customer-data.ts', import.meta.url));

export interface EndToEndOptions {
  /** The folder for the files of the run. */
  readonly folder: string;
  /** The URL of the emulator; undefined for AWS. */
  readonly endpoint: string | undefined;
  /** The processes of the emulator and of the functions that it runs; undefined unless it was started for this run. */
  readonly processGroup: number | undefined;
  /** Leaves the stack running after the first deployment and its checks. */
  readonly keep: boolean;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/**
 * Deploys the stack, checks it, changes it in place and destroys it. The environment variables of this process select
 * the account or emulator, as for the AWS CLI.
 *
 * @returns the base URL of the API, if it was left running.
 * @throws CommandError if a command fails.
 * @throws AssertionError if a check fails.
 */
export async function runEndToEnd(options: EndToEndOptions): Promise<string | undefined> {
  const { folder, endpoint, processGroup, keep, signal, print } = options;
  // A stage of its own, so that no other is changed or destroyed.
  const stage = `e2e-${randomBytes(4).toString('hex')}`;
  const first: CdkOptions = { folder, stage, settings: SETTINGS, signal };
  const step = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    print(`\n${name}`);
    const result = await run();
    print(`done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    return result;
  };

  const deployTo = async (cdkOptions: CdkOptions) => {
    if (endpoint) print(describeLeftOut(await deployToEmulator(cdkOptions)));
    else await deploy(cdkOptions);
  };

  // AWS accounts are bootstrapped by their owners.
  if (endpoint) await step('cdk bootstrap', () => bootstrap(first));
  try {
    await step('cdk deploy', () => deployTo(first));
    const outputs = await readOutputs(outputsFile(first));
    const url = endpoint ? emulatedUrl(outputs.ApiUrl, endpoint) : outputs.ApiUrl;
    const stackName = `CustomerDataApi-${stage}`;
    const deployment = { stackName, outputs, outputsFile: outputsFile(first), url, print };
    if (endpoint) {
      await step('cdk diff: a second deployment would change nothing', () =>
        expectUnchanged(first),
      );
    }
    const smokeArgs = ['--api-url', url];
    if (endpoint) {
      const file = join(folder, 'expired-token');
      await step('A token that expires', async () => {
        await writeFile(file, await expiredToken(deployment), { mode: 0o600 });
      });
      smokeArgs.push('--expired-token', file);
    }
    await step('customer-data smoke --outputs', () =>
      smoke(['--outputs', outputsFile(first), ...smokeArgs], signal),
    );
    await step('The functions prepared their first calls', () => expectPrepared(deployment));
    await step('Changes of a client are recorded', () => expectRecorded(deployment));
    await step('A configuration is published and rolled back', () => expectPublished(deployment));
    // Checked now, because emulator and functions are running.
    if (processGroup) await step('Open ports', () => expectLoopback(processGroup, print));
    if (keep) return url;
    await step('cdk deploy with changed settings: the data stays', () =>
      expectKept(deployment, () => deployTo({ ...first, settings: { ...SETTINGS, ...CHANGE } })),
    );
    await step('customer-data smoke --stack', () =>
      smoke(['--stack', stackName, ...smokeArgs], signal),
    );
    if (endpoint) {
      await step('A flood of getConfig is throttled', () => expectThrottled(deployment, LIMITS));
    }
    // On AWS the pipe publishes the event too.
    if (endpoint) await step('An event is replayed', () => expectEventReplayed(deployment));
    // On AWS a change of permissions takes minutes.
    if (endpoint) await step('The table refuses writes', () => expectNothingLost(deployment));
    // On AWS a restore takes up to an hour.
    if (endpoint) {
      await step('The tables Configs and PromoEvents are restored under new names', () =>
        expectRestored(deployment, (more) =>
          deployTo({ ...first, settings: { ...SETTINGS, ...CHANGE, ...more } }),
        ),
      );
    }
    await step('cdk destroy', () => destroy(first));
    await expectGone(outputs);
    return undefined;
  } catch (error) {
    // Leave nothing behind.
    print('\ncdk destroy');
    await destroy({ ...first, signal: new AbortController().signal });
    throw error;
  }
}

/** Fails if another machine could reach the emulator or a function. */
async function expectLoopback(group: number, print: (line: string) => void): Promise<void> {
  const sockets = await listeningSockets(group);
  if (!sockets) return print('Not checked: this system has no /proc.');
  assert.notDeepEqual(sockets, [], 'no port is open: the emulator was not found');
  assert.deepEqual(notOnLoopback(sockets), [], 'other machines can reach the emulator');
  print(`Listening: ${sockets.join(', ')}`);
}

/** The URL at which an emulator serves the API; on AWS the API has its own host name. */
function emulatedUrl(apiUrl: string, endpoint: string): string {
  const { hostname, pathname } = new URL(apiUrl);
  return `${endpoint}/restapis/${hostname.split('.')[0]}${pathname}/_user_request_`;
}

async function smoke(args: readonly string[], signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [CUSTOMER_DATA, 'smoke', ...args], {
    stdio: 'inherit',
    signal,
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new CommandError('The checks failed.');
}

/** On AWS tokens live for five minutes or longer; in an emulator one second is possible. */
async function expiredToken(deployment: Deployment): Promise<string> {
  const { UserPoolId } = deployment.outputs;
  const [ClientId = ''] = appClientIds(deployment.outputs);
  const cognito = new CognitoIdentityProvider({});
  const { UserPoolClient } = await cognito.describeUserPoolClient({ UserPoolId, ClientId });
  const appClient = { ...UserPoolClient, UserPoolId, ClientId };
  const aSecond = { IdTokenValidity: 1, TokenValidityUnits: { IdToken: 'seconds' as const } };
  await cognito.updateUserPoolClient({ ...appClient, ...aSecond });
  await using cleanup = new Cleanup(deployment.print);
  const { idToken } = await createUser(deployment.outputs, deployment.outputsFile, cleanup);
  await cognito.updateUserPoolClient(appClient);
  await setTimeout(2000);
  return idToken;
}

/** A user, a client and a promo event survive a change of the deployment, and the change takes effect. */
async function expectKept(deployment: Deployment, change: () => Promise<void>): Promise<void> {
  const { outputs, url } = deployment;
  await using cleanup = new Cleanup(deployment.print);
  const user = await createUser(outputs, deployment.outputsFile, cleanup);
  const client = await createClient(outputs, cleanup);
  const subject: Subject = { url, user, client, isUserBound: true };
  const request = application(subject);
  const anHourAgo = { 'Request-Date': new Date(Date.now() - HOUR_MS).toISOString() };

  const before = await apply(subject, request);
  expectSuccess(before);
  const events = await client.promoEvents();
  expectFields(await callGetConfig(subject, anHourAgo));
  await change();
  expectFields(await callGetConfig(subject));
  assert.deepEqual((await apply(subject, request)).body, before.body, 'the code was applied again');
  assert.deepEqual(await client.promoEvents(), events, 'the promo event has changed');
  expectUnauthorized(await callGetConfig(subject, anHourAgo));
}

async function expectGone({
  ConfigsTableName,
  ConfigVersionsTableName,
  PromoEventsTableName,
}: Outputs): Promise<void> {
  const dynamodb = new DynamoDB({});
  for (const TableName of [ConfigsTableName, ConfigVersionsTableName, PromoEventsTableName]) {
    await assert.rejects(dynamodb.describeTable({ TableName }), ResourceNotFoundException);
  }
}

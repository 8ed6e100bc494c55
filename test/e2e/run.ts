import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDB, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { Cleanup } from '../../cli/commands/smoke/cleanup.ts';
import {
  application,
  apply,
  callGetConfig,
  expectError,
  expectFields,
  expectSuccess,
  expectUnauthorized,
} from '../../cli/commands/smoke/requests.ts';
import { createUser } from '../../cli/commands/smoke/user.ts';
import { appClientIds, type Outputs, readOutputs } from '../../cli/deployment/outputs.ts';
import { functionLogGroup } from '../../core/function-names.ts';
import { UserError } from '../../core/user-error.ts';
import { functionName } from '../../functions/http/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { synthesize } from '../../local/synthesize.ts';
import { runRounds } from '../faults/same-moment.ts';
import { expectPublished } from './configuration.ts';
import { command, type Deployment, newSubject } from './deployment.ts';
import { expectEventReplayed } from './event-bus.ts';
import { leaveOutRefused } from './left-out.ts';
import type { Ministack } from './ministack.ts';
import { expectNothingLost } from './queue.ts';
import { expectRestored } from './restore.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const CDK = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');

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
/** The settings that the second deployment changes. */
const CHANGE = { requestDateWindowSeconds: 600 };
/**
 * The emulator runs a process for each request in flight. With 100 of them, writes take so long
 * that events are queued.
 */
const ROUNDS = { rounds: 20, connections: 20 };
const HOUR_MS = 60 * 60 * 1000;

export interface EndToEndOptions {
  /** The folder for the files of the run. */
  readonly folder: string;
  /** The emulator; undefined for AWS. */
  readonly ministack: Ministack | undefined;
  /** Leaves the stack running after the first deployment and its checks. */
  readonly keep: boolean;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/**
 * Deploys the stack, checks it, changes it in place and destroys it. The environment variables of
 * this process select the account, as for the AWS CLI.
 *
 * @returns the base URL of the API, if it was left running.
 * @throws UserError if a command fails.
 * @throws AssertionError if a check fails.
 */
export async function runEndToEnd(options: EndToEndOptions): Promise<string | undefined> {
  const { folder, ministack, keep, signal, print } = options;
  // A stage of its own, so that no other is changed or destroyed.
  const stage = `e2e-${randomBytes(4).toString('hex')}`;
  const stackName = `CustomerDataApi-${stage}`;
  const outputsFile = join(folder, 'outputs.json');
  const step = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    print(`\n${name}`);
    const result = await run();
    print(`done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    return result;
  };
  /** @returns the cloud assembly of everything that the target does not refuse. */
  const synthesizeFor = async (settings: object, name = 'cdk.out'): Promise<string> => {
    const cloudAssembly = join(folder, name);
    await writeFile(join(folder, `${stage}.json`), JSON.stringify({ ...SETTINGS, ...settings }));
    await synthesize(cloudAssembly, [`stages=${folder}`, `stage=${stage}`]);
    const templateFile = join(cloudAssembly, `${stackName}.template.json`);
    if (ministack) print(await leaveOutRefused(templateFile));
    return cloudAssembly;
  };
  const deploy = async (cloudAssembly: string): Promise<Outputs> => {
    const deployArgs = ['--require-approval', 'never', '--outputs-file', outputsFile];
    await cdk(cloudAssembly, ['deploy', ...deployArgs], signal);
    return readOutputs(outputsFile);
  };

  const first = await step('cdk synth', () => synthesizeFor({}));
  // AWS accounts are bootstrapped by their owners.
  if (ministack) await step('cdk bootstrap', () => cdk(first, ['bootstrap'], signal));
  try {
    const outputs = await step('cdk deploy', () => deploy(first));
    const url = ministack ? emulatedUrl(outputs.ApiUrl, ministack.url) : outputs.ApiUrl;
    const ofFile = ['--outputs', outputsFile];
    const deployment = { stackName, folder, outputs, options: ofFile, url, print };
    const smokeArgs = ['--api-url', url];
    if (ministack) {
      await step('cdk diff: a second deployment would change nothing', async () => {
        const again = await synthesizeFor({}, 'again');
        await cdk(again, ['diff', '--fail', '--method', 'template'], signal);
      });
      await step('A token that has expired is refused', async () => {
        await using cleanup = new Cleanup(print);
        const subject = await newSubject(deployment, cleanup);
        const headers = { Authorization: `Bearer ${await expiredToken(deployment)}` };
        expectError(await callGetConfig(subject, headers), 400, 'NotAuthorizedException');
      });
    }
    await step('./customer-data smoke --outputs', () => command(deployment, 'smoke', ...smokeArgs));
    await step('The functions prepared their first calls', () => expectPrepared(deployment));
    await step('A configuration is published, and each change recorded', () =>
      expectPublished(deployment),
    );
    // Checked now, because emulator and functions are running.
    assert.deepEqual(
      (await ministack?.openPorts()) ?? [],
      [],
      'other machines can reach ports of the emulator',
    );
    if (keep) return url;
    await step('cdk deploy with changed settings: the data stays', () =>
      expectKept(deployment, async () => deploy(await synthesizeFor(CHANGE))),
    );
    const byName = { ...deployment, options: ['--stack', stackName] };
    await step('./customer-data smoke --stack', () => command(byName, 'smoke', ...smokeArgs));
    // On AWS, a new account may run fewer functions at a time than there are connections, the pipe
    // publishes the event too, a change of permissions takes minutes, and a restore up to an hour.
    if (ministack) {
      await step('A code is sent on many connections at the same moment', () =>
        expectAppliedOnce(deployment),
      );
      await step('An event is replayed', () => expectEventReplayed(deployment));
      await step('The table refuses writes', () => expectNothingLost(deployment));
      await step('The tables Configs and PromoEvents are restored under new names', () =>
        expectRestored(deployment, async (more) =>
          deploy(await synthesizeFor({ ...CHANGE, ...more })),
        ),
      );
    }
    await step('cdk destroy', () => cdk(first, ['destroy', '--force'], signal));
    await expectGone(outputs);
    return undefined;
  } catch (error) {
    // Leave nothing behind.
    print('\ncdk destroy');
    await cdk(first, ['destroy', '--force']);
    throw error;
  }
}

/** @throws UserError with the command's output if it fails. */
async function cdk(
  cloudAssembly: string,
  words: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const args = [CDK, ...words, '--app', cloudAssembly, '--no-notices', '--no-color'];
  const options = { cwd: PROJECT, maxBuffer: 64 * 1024 * 1024, ...(signal && { signal }) };
  await promisify(execFile)(process.execPath, args, options).catch((error) => {
    const { stdout = '', stderr = '', message } = error;
    const printed = `${stdout}${stderr}`.trim();
    throw new UserError(`cdk ${words[0]} failed.\n${printed || message}`);
  });
}

/** The URL at which an emulator serves the API; on AWS the API has its own host name. */
function emulatedUrl(apiUrl: string, emulator: string): string {
  const { hostname, pathname } = new URL(apiUrl);
  return `${emulator}/restapis/${hostname.split('.')[0]}${pathname}/_user_request_`;
}

/** On AWS tokens live for five minutes or longer; in an emulator one second is possible. */
async function expiredToken({ outputs, print }: Deployment): Promise<string> {
  const { UserPoolId } = outputs;
  const [ClientId = ''] = appClientIds(outputs);
  const cognito = new CognitoIdentityProvider({});
  const { UserPoolClient } = await cognito.describeUserPoolClient({ UserPoolId, ClientId });
  const appClient = { ...UserPoolClient, UserPoolId, ClientId };
  const aSecond = { IdTokenValidity: 1, TokenValidityUnits: { IdToken: 'seconds' as const } };
  await cognito.updateUserPoolClient({ ...appClient, ...aSecond });
  await using cleanup = new Cleanup(print);
  const { idToken } = await createUser(outputs, undefined, cleanup);
  await cognito.updateUserPoolClient(appClient);
  await setTimeout(2000);
  return idToken;
}

/**
 * The functions fetched the key set and read from DynamoDB before their first call, each within its
 * time limit: their logs say so.
 */
async function expectPrepared({ stackName }: Deployment): Promise<void> {
  const client = new CloudWatchLogsClient();
  for (const operation of OPERATIONS) {
    const logGroupName = functionLogGroup(stackName, functionName(operation));
    let log = '';
    for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName })) {
      log += events.map(({ message = '' }) => `${message}\n`).join('');
    }
    assert.match(log, /App-Ids were used/, `${logGroupName} has no line of a call`);
    assert.doesNotMatch(log, /The first call was not prepared/);
  }
}

/**
 * A user, a client and a promo event survive a change of the deployment, and the change takes
 * effect.
 */
async function expectKept(deployment: Deployment, change: () => Promise<Outputs>): Promise<void> {
  await using cleanup = new Cleanup(deployment.print);
  const subject = await newSubject(deployment, cleanup);
  const { promoEvents } = subject.client;
  const request = application(subject);
  const anHourAgo = { 'Request-Date': new Date(Date.now() - HOUR_MS).toISOString() };

  const before = await apply(subject, request);
  expectSuccess(before);
  const events = await promoEvents();
  expectFields(await callGetConfig(subject, anHourAgo));
  await change();
  expectFields(await callGetConfig(subject));
  assert.deepEqual((await apply(subject, request)).body, before.body, 'the code was applied again');
  assert.deepEqual(await promoEvents(), events, 'the promo event has changed');
  expectUnauthorized(await callGetConfig(subject, anHourAgo));
}

/** Of requests for one user and one code that arrive at the same moment, one applies the code. */
async function expectAppliedOnce(deployment: Deployment): Promise<void> {
  await using cleanup = new Cleanup(deployment.print);
  const failed = await runRounds(await newSubject(deployment, cleanup), ROUNDS);
  assert.equal(failed.join('\n'), '', 'a code was not applied once');
}

async function expectGone(outputs: Outputs): Promise<void> {
  const dynamodb = new DynamoDB({});
  const { ConfigsTableName, ConfigVersionsTableName, PromoEventsTableName } = outputs;
  for (const TableName of [ConfigsTableName, ConfigVersionsTableName, PromoEventsTableName]) {
    await assert.rejects(dynamodb.describeTable({ TableName }), ResourceNotFoundException);
  }
}

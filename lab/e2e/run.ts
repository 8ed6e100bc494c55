import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDB, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { functionLogGroup } from '../../functions/background-functions.ts';
import { getConfig } from '../../functions/get-config/operation.ts';
import { functionName } from '../../functions/http/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { stackNameOf } from '../../lib/stack-name.ts';
import { awsClient } from '../../packages/deployment/aws-clients.ts';
import { type Outputs, readOutputsFile } from '../../packages/deployment/outputs.ts';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { synthesize } from '../../packages/local/synthesize.ts';
import { call } from '../../packages/on-call/smoke/checks.ts';
import { Cleanup } from '../../packages/on-call/smoke/subject.ts';
import { unpackRelease } from '../../test/support/recorded-release.ts';
import { releasedVersions } from '../../test/support/released-documents.ts';
import { command, type Deployment, newSubject } from './deployment.ts';
import { expectOnTheBus } from './events.ts';
import { addRefused, expectRepeated } from './first-deployment.ts';
import { expectServed, RECORDED_STAGE } from './last-release.ts';
import { keepTables, leaveOutRefused } from './left-out.ts';
import type { Ministack } from './ministack.ts';
import { differFromReleases } from './other-build.ts';
import { denyWrites, expectNothingLost } from './queue.ts';
import { application, promoEventsOf } from './requests.ts';
import { expectErasedAfterDeletion, expectRestored, freezeTable } from './restore.ts';
import { expectRecorded } from './rollout.ts';
import { SETTINGS } from './settings.ts';
import { expectContinued } from './unfinished.ts';
import { expectWatched } from './watched.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const CDK = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');

/** The settings that a later deployment changes. */
const CHANGE = { requestDateWindowSeconds: 600, userAttributes: ['userId'] };
const VERSION = 'AWS::Lambda::Version';
const HOUR_MS = 60 * 60 * 1000;

export interface EndToEndOptions {
  /** The folder for the files of the run. */
  readonly folder: string;
  /** The emulator; undefined for AWS. */
  readonly ministack: Ministack | undefined;
  /** Leaves the stack running after the first deployment and its checks. */
  readonly keep: boolean;
  /** Destroys the stack after the first deployment and its checks. */
  readonly short: boolean;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/**
 * Deploys the releases in their order, then this build, checks it, goes back and forward, changes
 * it in place and destroys it. The environment variables of this process select the account, as for
 * the AWS CLI.
 *
 * @returns the base URL of the API, if it was left running.
 * @throws UserError if a command fails.
 * @throws AssertionError if a check fails.
 */
export async function runEndToEnd(options: EndToEndOptions): Promise<string | undefined> {
  const { folder, ministack, keep, short, signal, print } = options;
  const stage = RECORDED_STAGE;
  const stackName = stackNameOf(stage);
  if (!ministack) await expectNoStack(stackName);
  const outputsFile = join(folder, 'outputs.json');
  const step = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    print(`\n${name}`);
    const result = await run();
    print(`done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    return result;
  };
  const templateIn = (cloudAssembly: string, name = stackName) =>
    join(cloudAssembly, `${name}.template.json`);
  /** @returns the cloud assembly of everything that the target does not refuse. */
  const synthesizeFor = async (
    settings: object,
    name = 'cdk.out',
    of: string = stage,
  ): Promise<string> => {
    const cloudAssembly = join(folder, name);
    await writeFile(join(folder, `${of}.json`), JSON.stringify({ ...SETTINGS, ...settings }));
    await synthesize(cloudAssembly, [`stages=${folder}`, `stage=${of}`]);
    await differFromReleases(cloudAssembly);
    const template = templateIn(cloudAssembly, stackNameOf(of));
    if (ministack) print(await leaveOutRefused(template));
    return cloudAssembly;
  };
  const deployAny = (cloudAssembly: string, ...more: readonly string[]) =>
    cdk(
      cloudAssembly,
      ['deploy', '--require-approval', 'never', '--outputs-file', outputsFile, ...more],
      signal,
    );
  const deploy = async (cloudAssembly: string): Promise<Outputs> => {
    await deployAny(cloudAssembly);
    return (await readOutputsFile(outputsFile)).outputs;
  };

  const first = await step('cdk synth', () => synthesizeFor({}));
  // AWS accounts are bootstrapped by their owners.
  if (ministack) await step('cdk bootstrap', () => cdk(first, ['bootstrap'], signal));
  try {
    const deploymentOf = (outputs: Outputs): Deployment => ({
      stackName,
      folder,
      outputs,
      options: ['--outputs', outputsFile],
      print,
      url: ministack ? emulatedUrl(outputs.ApiUrl, ministack.url) : outputs.ApiUrl,
    });
    const deployRelease = async (version: string) => {
      const cloudAssembly = await unpackRelease(folder, version);
      if (ministack) {
        await leaveOutRefused(templateIn(cloudAssembly));
        await keepTables(templateIn(cloudAssembly), templateIn(first));
      }
      await deployAny(cloudAssembly);
      const { [stackName]: outputs } = JSON.parse(await readFile(outputsFile, 'utf8'));
      // 0.1.0 has no such output.
      if (outputs.Release) assert.equal(outputs.Release, version);
      return outputs;
    };
    const [oldest = '', ...releases] = await releasedVersions();
    const outputs = await step(`cdk deploy of release ${oldest}`, () => deployRelease(oldest));
    // An output that release 0.1.0 lacks.
    let deployed = deploymentOf({ ...outputs, Region: outputs.UserPoolId.split('_')[0] });
    const update = async (change: () => Promise<unknown>) => {
      await expectKept(deployed, () =>
        expectOnTheBus(deployed, async () => {
          await change();
          return (await readOutputsFile(outputsFile)).outputs;
        }),
      );
      deployed = deploymentOf((await readOutputsFile(outputsFile)).outputs);
    };
    const kept = 'the data stays, and its events are on the bus';
    for (const version of releases) {
      await step(`cdk deploy of release ${version}: ${kept}`, () =>
        update(() => deployRelease(version)),
      );
    }
    await step(`cdk deploy of this build: ${kept}`, () => update(() => deploy(first)));
    const deployment = deploymentOf((await readOutputsFile(outputsFile)).outputs);
    const { url } = deployment;
    const smokeArgs = ['--api-url', url];
    if (ministack) {
      await step('cdk diff: a second deployment would change nothing', async () => {
        const again = await synthesizeFor({}, 'again');
        await cdk(again, ['diff', '--fail', '--method', 'template'], signal);
      });
    }
    await step('./customer-data smoke --outputs', () => command(deployment, 'smoke', ...smokeArgs));
    await step('The functions prepared their first calls', () => expectPrepared(deployment));
    await step('A rollout starts and is stopped, and each change recorded', () =>
      expectRecorded(deployment),
    );
    await step('A promo event is changed by hand, and the check reports it', () =>
      expectWatched(deployment),
    );
    if (keep) return url;
    if (short) {
      await step('cdk destroy', () => cdk(first, ['destroy', '--force'], signal));
      await expectGone(deployment.outputs);
      return undefined;
    }
    const last = releases.at(-1);
    // On AWS, a change of permissions takes minutes.
    if (last && ministack) {
      await step(`cdk deploy of release ${last}: what has begun continues`, () =>
        expectContinued(deployment, () => deployRelease(last)),
      );
      await step('cdk deploy of this build: what has begun continues', () =>
        expectContinued(deployment, () => deploy(first)),
      );
    }
    await step('cdk deploy with changed settings: the data stays', () =>
      expectKept(deployment, async () => deploy(await synthesizeFor(CHANGE))),
    );
    const changed = deploymentOf((await readOutputsFile(outputsFile)).outputs);
    await step('The changed setting has taken effect', () => expectWindow(changed));
    for (const userIdClaim of ['custom:userId', 'sub']) {
      await step(`cdk deploy with userIdClaim ${userIdClaim}: its users are served`, async () => {
        const outputs = await deploy(await synthesizeFor({ ...CHANGE, userIdClaim }));
        assert.equal(outputs.UserPoolId, changed.outputs.UserPoolId);
        await expectServedUser(deploymentOf(outputs));
      });
    }
    await step('cdk deploy with account and Region in the stage: no function is published', () =>
      expectUnpublished(changed, async () =>
        deploy(await synthesizeFor({ ...CHANGE, ...(await place()) })),
      ),
    );
    const byName = { ...changed, options: ['--stack', stackName] };
    await step('./customer-data smoke --stack', () => command(byName, 'smoke', ...smokeArgs));
    // On AWS, a change of permissions takes minutes.
    if (ministack) await step('The table refuses writes', () => expectNothingLost(changed));
    await step('The tables Configs, PromoEvents and Erasures are restored under new names', () =>
      expectRestored(
        changed,
        async (more) => deploy(await synthesizeFor({ ...CHANGE, ...more })),
        // MiniStack ignores the policies of tables.
        (cleanup) => (ministack ? denyWrites : freezeTable)(changed, cleanup),
      ),
    );
    await step('cdk destroy', () => cdk(first, ['destroy', '--force'], signal));
    await expectGone(changed.outputs);
    // On AWS, what a mistake leaves behind would have to be removed by hand.
    if (ministack) {
      const retained = { retainData: true, ...(await place()) };
      await step('A first deployment of a stage that retains its data fails, and is repeated', () =>
        expectRepeated(
          stackName,
          async () => {
            const refused = await synthesizeFor(retained, 'refused');
            await addRefused(templateIn(refused));
            await deployAny(refused, '--no-rollback');
          },
          async () => {
            // With another setting: the CDK uploads no template of a hash that it has uploaded.
            const corrected = await synthesizeFor({ ...CHANGE, ...retained }, 'corrected');
            await deployAny(corrected, '--no-rollback');
          },
        ),
      );
      await step('cdk deploy without retainData, and cdk destroy', async () => {
        const outputs = await deploy(await synthesizeFor(CHANGE));
        await cdk(first, ['destroy', '--force'], signal);
        await expectGone(outputs);
      });
      await step(
        'The stage prod is deleted and deployed again: an erased user stays erased',
        async () => {
          const StackName = stackNameOf('prod');
          const deployProd = async (settings: object, ...more: readonly string[]) => {
            await deployAny(await synthesizeFor(settings, 'prod', 'prod'), ...more);
            return {
              ...deploymentOf((await readOutputsFile(outputsFile)).outputs),
              stackName: StackName,
            };
          };
          await expectErasedAfterDeletion(await deployProd(retained), async (tables) => {
            const client = awsClient('cloudformation', CloudFormationClient, {});
            const protection = { StackName, EnableTerminationProtection: false };
            await client.send(new UpdateTerminationProtectionCommand(protection));
            await cdk(join(folder, 'prod'), ['destroy', '--force'], signal);
            return deployProd({ ...retained, ...tables }, '--import-existing-resources');
          });
        },
      );
    }
    return undefined;
  } catch (error) {
    // Leave nothing behind.
    print('\ncdk destroy');
    await cdk(first, ['destroy', '--force']).catch(({ message }) => print(message));
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

/**
 * The functions fetched the key set and read from DynamoDB before their first call, each within its
 * time limit: their logs say so.
 */
async function expectPrepared({ stackName }: Deployment): Promise<void> {
  const client = awsClient('logs', CloudWatchLogsClient, {});
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

/** @throws UserError if the stack exists: this run would change and destroy it. */
async function expectNoStack(StackName: string): Promise<void> {
  const client = awsClient('cloudformation', CloudFormationClient, {});
  const found = await client.send(new DescribeStacksCommand({ StackName })).catch(() => undefined);
  if (found) throw new UserError(`There is a stack ${StackName} already. Delete it first.`);
}

/** A user, a client and a promo event survive each of several changes of the deployment. */
async function expectKept(
  deployment: Deployment,
  ...changes: readonly (() => Promise<unknown>)[]
): Promise<void> {
  await using cleanup = new Cleanup(deployment.print);
  const subject = await newSubject(deployment, cleanup);
  const promoEvents = () => promoEventsOf(deployment.outputs, subject);
  const request = application(subject);
  await expectServed(subject, request);
  const events = await promoEvents();
  assert.equal(events.length, 1, 'the code was not applied');
  for (const change of changes) {
    await change();
    await expectServed(subject, request);
    assert.deepEqual(await promoEvents(), events, 'the promo event has changed');
  }
}

/** A new user is served, whose id is in the claim of the deployment. */
async function expectServedUser(deployment: Deployment): Promise<void> {
  await using cleanup = new Cleanup(deployment.print);
  const subject = await newSubject(deployment, cleanup);
  await expectServed(subject, application(subject));
  assert.equal(await subject.countPromoEvents(), 1, 'the code was not applied');
}

/** A request that is an hour old is outside the window. */
async function expectWindow(deployment: Deployment): Promise<void> {
  await using cleanup = new Cleanup(deployment.print);
  const subject = await newSubject(deployment, cleanup);
  const headers = { 'Request-Date': new Date(Date.now() - HOUR_MS).toISOString() };
  const { status, text } = await call(subject, getConfig, { headers });
  assert.equal(status, 401, text);
}

/** Returns the account and the Region of the credentials in use, as settings. */
async function place(): Promise<{ account: string; region: string }> {
  const client = awsClient('sts', STSClient, {});
  const { Account = '' } = await client.send(new GetCallerIdentityCommand());
  return { account: Account, region: await client.config.region() };
}

/**
 * The versions of all functions are the same after a change. Lambda refuses a second version of a
 * function that has not changed, and the deployment would fail.
 */
async function expectUnpublished(
  { stackName }: Deployment,
  change: () => Promise<unknown>,
): Promise<void> {
  const client = awsClient('cloudformation', CloudFormationClient, {});
  const versions = async () => {
    const { StackResources = [] } = await client.send(
      new DescribeStackResourcesCommand({ StackName: stackName }),
    );
    const ofType = StackResources.filter(({ ResourceType }) => ResourceType === VERSION);
    return ofType.map(({ LogicalResourceId }) => LogicalResourceId).sort();
  };
  const before = await versions();
  assert.notEqual(before.length, 0);
  await change();
  assert.deepEqual(await versions(), before);
}

async function expectGone(outputs: Outputs): Promise<void> {
  const dynamodb = awsClient('dynamodb', DynamoDB, {});
  const { ConfigsTableName, ConfigVersionsTableName, PromoEventsTableName } = outputs;
  for (const TableName of [ConfigsTableName, ConfigVersionsTableName, PromoEventsTableName]) {
    await assert.rejects(dynamodb.describeTable({ TableName }), ResourceNotFoundException);
  }
}

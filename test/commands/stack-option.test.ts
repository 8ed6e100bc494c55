import { createServer, type Server } from 'node:http';
import { devNull } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { close, listen } from '../../local/listen.ts';
import { customerData } from '../support/command-line.ts';
import type { Finished } from '../support/processes.ts';
import { eventOf } from '../support/promo-event.ts';
import { type Harness, startHarness } from '../support/queue-harness.ts';

/* `--stack`: commands that know nothing but the name of the stack. */

const STACK = 'CustomerDataApi-prod';
const COMMANDS = ['queue show', 'user erase', 'smoke'] as const;

let harness: Harness;
let cloudFormation: Server;
let endpoint: string;
/** The outputs of the stack; undefined if there is no such stack. */
let outputs: Record<string, string> | undefined;
let asked: string[];

beforeAll(async () => {
  harness = await startHarness();
  cloudFormation = createServer(async (request, response) => {
    const parameters = new URLSearchParams(await text(request));
    asked.push(`${parameters.get('Action')} ${parameters.get('StackName')}`);
    response.statusCode = outputs ? 200 : 400;
    response.end(outputs ? described(outputs) : noSuchStack(parameters.get('StackName')));
  });
  endpoint = await listen(cloudFormation);
});
afterAll(async () => {
  await close(cloudFormation);
  await harness.stop();
});

// https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
function described(values: Record<string, string>): string {
  const members = Object.entries(values).map(
    ([name, value]) =>
      `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${STACK}</StackName><StackStatus>UPDATE_COMPLETE</StackStatus><CreationTime>2026-11-20T09:30:00Z</CreationTime><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

function noSuchStack(name: string | null): string {
  return `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`;
}

async function run(
  command: (typeof COMMANDS)[number],
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Finished> {
  asked = [];
  const user = command === 'user erase' ? ['--client', 'demo', '--user', 'jane', '--yes'] : [];
  const env = {
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'eu-central-1',
    AWS_DEFAULT_REGION: undefined,
    AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint,
    ...environment,
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return customerData([...command.split(' '), ...user, ...args]);
}
afterEach(() => vi.unstubAllEnvs());

function expectOneLine(
  { code, stdout, stderr }: Finished,
  expected: RegExp,
  expectedCode = 2,
): void {
  expect(stderr).toMatch(expected);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stdout).toBe('');
  expect(code).toBe(expectedCode);
}

test.each(['queue show', 'user erase'] as const)(
  'customer-data %s finds the queues and the table in the outputs of the stack',
  async (command) => {
    outputs = { ...harness.outputs };
    await harness.store(eventOf('jane'));
    const { code, stdout } = await run(command, ['--stack', STACK]);
    expect(stdout).toMatch(/^(In the queue, .*: about 0\.|Removed from the table: 1)$/m);
    expect(code).toBe(0);
    expect(asked).toEqual([`DescribeStacks ${STACK}`]);
  },
);

test.each(COMMANDS)(
  'customer-data %s ends with one line if there is no such stack',
  async (command) => {
    outputs = undefined;
    expectOneLine(
      await run(command, ['--stack', STACK]),
      /^There is no stack CustomerDataApi-prod in eu-central-1\. Check the profile and the region\.\n$/,
    );
  },
);

/* The commands share what names a deployment, so one of them stands for all. */
describe('customer-data queue show ends with one line', () => {
  test('if it is the stack of another service, without asking for it', async () => {
    expectOneLine(
      await run('queue show', ['--stack', 'Shop-prod']),
      /^The stacks are called CustomerDataApi-<stage>; Shop-prod is not\.\n$/,
    );
    expect(asked).toEqual([]);
  });

  test('if an output is missing', async () => {
    const { PromoEventsQueueUrl, ...others } = harness.outputs;
    outputs = others;
    expectOneLine(
      await run('queue show', ['--stack', STACK]),
      /^The stack CustomerDataApi-prod lacks PromoEventsQueueUrl\. /,
    );
  });

  test('if the region of AWS_DEFAULT_REGION has no such stack', async () => {
    const environment = { AWS_REGION: undefined, AWS_DEFAULT_REGION: 'eu-north-1' };
    outputs = undefined;
    expectOneLine(
      await run('queue show', ['--stack', STACK], environment),
      /^There is no stack CustomerDataApi-prod in eu-north-1\. /,
    );
  });

  test('if the region is unknown', async () => {
    const environment = { AWS_REGION: undefined, AWS_DEFAULT_REGION: undefined };
    expectOneLine(
      await run('queue show', ['--stack', STACK], environment),
      /^The region is unknown\. Name it with --region, or set AWS_REGION\.\n$/,
    );
  });

  test('without credentials', async () => {
    const environment = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined };
    expectOneLine(
      await run('queue show', ['--stack', STACK], environment),
      /^cloudformation:DescribeStacks on CustomerDataApi-prod failed\. CredentialsProviderError: /,
      4,
    );
  });

  test('if neither or both of --stack and --outputs are given', async () => {
    expectOneLine(
      await run('queue show', []),
      /--stack NAME such as CustomerDataApi-prod, --outputs FILE, or --local/,
    );
    expectOneLine(
      await run('queue show', ['--stack', STACK, '--outputs', 'outputs.json']),
      /'--outputs <file>' cannot be used with option '--stack <name>'/,
    );
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appClientIds, readOutputs } from '../../../cli/outputs.ts';
import { CommandError } from '../../../core/platform/command-error.ts';
import { OUTPUTS as DEPLOYMENT } from '../../support/outputs.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(content: unknown) {
  const file = join(folder, 'outputs.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readOutputs(file);
}

const OUTPUTS = { ...DEPLOYMENT, UserPoolClientId: 'first,second' };
const OURS = 'CustomerDataApi-prod';

test('readOutputs returns the outputs of the stack', async () => {
  expect(await read({ [OURS]: OUTPUTS })).toEqual(OUTPUTS);
});

test('appClientIds returns the id of each app client', () => {
  expect(appClientIds(OUTPUTS)).toEqual(['first', 'second']);
});

test('outputs of other stacks and unused outputs are ignored', async () => {
  const other = { ...OUTPUTS, ConfigsTableName: 'other' };
  const read_ = await read({
    Other: other,
    'XCustomerDataApi-prod': other,
    CustomerDataApiPipeline: other,
    [OURS]: { ...OUTPUTS, More: 1 },
  });
  expect(read_).toEqual(OUTPUTS);
});

test('readOutputs returns the endpoints of the local server', async () => {
  const local = { DynamoDbEndpoint: 'http://a', SqsEndpoint: 'http://b', JwksUri: 'http://c' };
  expect(await read({ [OURS]: { ...OUTPUTS, ...local } })).toMatchObject(local);
});

test.each([
  ['{', /outputs\.json is not JSON\. Use the file that cdk deploy --outputs-file writes\.$/],
  ['null', /must contain one stack CustomerDataApi-<stage>; it has none\.$/],
  ['[]', /it has none\.$/],
  [{ Other: OUTPUTS }, /it has none\.$/],
  [
    { [OURS]: OUTPUTS, 'CustomerDataApi-dev': OUTPUTS },
    /it has CustomerDataApi-prod, CustomerDataApi-dev\.$/,
  ],
])('%j is refused', async (content, expected) => {
  const reading = read(content);
  await expect(reading).rejects.toThrow(expected);
  await expect(reading).rejects.toBeInstanceOf(CommandError);
});

test.each(Object.keys(OUTPUTS))(
  'a file without %s is refused, and the error names the output',
  async (name) => {
    const { [name as 'ApiUrl']: _, ...others } = OUTPUTS;
    const reading = read({ [OURS]: others });
    await expect(reading).rejects.toThrow(
      new RegExp(
        `outputs\\.json lacks ${name}\\. Deploy the current version of the service and try`,
      ),
    );
    await expect(reading).rejects.toBeInstanceOf(CommandError);
  },
);

test.each(Object.keys(OUTPUTS))('a file whose %s is not a string is refused', async (name) => {
  await expect(read({ [OURS]: { ...OUTPUTS, [name]: 7 } })).rejects.toThrow(`lacks ${name}.`);
});

test('the error names every missing output', async () => {
  const { ApiUrl, UserIdClaim, ...others } = OUTPUTS;
  await expect(read({ [OURS]: others })).rejects.toThrow('lacks ApiUrl, UserIdClaim.');
});

test.each([
  ['nothing.json', (file: string) => `there is no file ${file}.`],
  ['', (file: string) => `${file} is a folder.`],
])('a file that cannot be read, %j, is refused with one line', async (name, why) => {
  const file = join(folder, name);
  const reading = readOutputs(file);
  await expect(reading).rejects.toThrow(`The outputs file cannot be read: ${why(file)}`);
  await expect(reading).rejects.toBeInstanceOf(CommandError);
});

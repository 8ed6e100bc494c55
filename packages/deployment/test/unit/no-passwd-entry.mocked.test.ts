import type os from 'node:os';
import { OUTPUTS } from 'customer-data-api/testing/outputs';
import { afterEach, expect, test, vi } from 'vitest';
import { chooseProfile } from '../../aws-profile.ts';
import { author, deploymentOf } from '../../deployment.ts';

/** Fails as Node does for a user id without an entry in passwd, which containers often have. */
vi.mock('node:os', async (importOriginal) => {
  const original = await importOriginal<typeof os>();
  const fail = () => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT');
  };
  const homedir = () => process.env.HOME || fail();
  const mocked = { ...original, userInfo: fail, homedir };
  return { ...mocked, default: mocked };
});

afterEach(() => vi.unstubAllEnvs());

test.each([
  [{ USER: 'jane', LOGNAME: 'john' }, 'jane'],
  [{ USER: undefined, LOGNAME: 'john' }, 'john'],
  [{ USER: '', LOGNAME: 'john' }, 'john'],
  [{ USER: undefined, LOGNAME: undefined }, 'unknown'],
])(
  'without an entry in passwd and with %j, a change on the local server is by %s',
  async (names, expected) => {
    for (const [name, value] of Object.entries(names)) vi.stubEnv(name, value);
    const outputs = { ...OUTPUTS, JwksUri: 'http://127.0.0.1:1/keys' };
    expect(await author(deploymentOf({ stackName: 'CustomerDataApi-dev', outputs }))).toBe(
      expected,
    );
  },
);

test('without a home directory either, the SDK looks for its files where containers have them', async () => {
  for (const name of ['HOME', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
  await chooseProfile({});
  expect(process.env.HOME).toBe('/');
});

import type os from 'node:os';
import { OUTPUTS } from 'customer-data-api/testing/outputs';
import { afterEach, expect, test, vi } from 'vitest';
import { author, deploymentOf } from '../../deployment.ts';

/** As Node does for a user id without an entry in passwd, which containers often have. */
vi.mock('node:os', async (importOriginal) => {
  const original = await importOriginal<typeof os>();
  const userInfo = () => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT');
  };
  return { ...original, default: { ...original, userInfo }, userInfo };
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

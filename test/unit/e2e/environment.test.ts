import { expect, onTestFinished, test, vi } from 'vitest';
import { findEnvironment } from '../../e2e/environment.ts';

test('without --really-aws, an end-to-end run refuses AWS, and has no setting or credential that reaches it', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const url of ['lambda.eu-west-1.amazonaws.com', 'sqs.cn-north-1.amazonaws.com.cn']) {
    vi.stubEnv('AWS_ENDPOINT_URL', `https://${url}`);
    await expect(findEnvironment(false)).rejects.toThrow('--really-aws');
  }
  vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:4566');
  for (const name of ['PROFILE', 'ACCESS_KEY_ID', 'IGNORE_CONFIGURED_ENDPOINT_URLS']) {
    vi.stubEnv(`AWS_${name}`, 'of a person');
  }
  const { variables } = await findEnvironment(false);
  expect(variables.AWS_ENDPOINT_URL).toBe('http://127.0.0.1:4566');
  expect(Object.values(variables)).not.toContain('of a person');
});

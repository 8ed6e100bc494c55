import packageJson from 'customer-data-api/package.json' with { type: 'json' };
import { OUTPUTS } from 'customer-data-api/testing/outputs';
import { inc } from 'semver';
import { expect, test } from 'vitest';
import { deploymentOf, expectCurrentRelease } from '../../deployment.ts';

const { version } = packageJson;
const [release] = version.split('-');

test.each([
  [inc(version, 'patch'), true],
  [inc(version, 'prerelease', 'rc'), true],
  [`${inc(version, 'minor')}+build.7`, true],
  ['9.10.0', true],
  [version, false],
  [`${release}-alpha.1`, false],
  [`${release}-alpha.10`, false],
  [`${version}+build.7`, false],
  ['0.0.9', false],
  // These are no versions.
  ['', false],
  ['main', false],
  ['9', false],
  ['9.10.0.1', false],
])('a deployment of release %s is newer: %s', (Release, isNewer) => {
  const outputs = { ...OUTPUTS, Release: `${Release}` };
  const check = () =>
    expectCurrentRelease(deploymentOf({ stackName: 'CustomerDataApi-x', outputs }));
  if (isNewer) expect(check).toThrow(expect.objectContaining({ code: 'olderCommands' }));
  else expect(check).not.toThrow();
});

import packageJson from 'customer-data-api/package.json' with { type: 'json' };
import { OUTPUTS } from 'customer-data-api/testing/outputs';
import { inc } from 'semver';
import { expect, test } from 'vitest';
import { deploymentOf, expectCurrentRelease } from '../../deployment.ts';

const { version } = packageJson;
const [release] = version.split('-');
/** The release after these commands, which takes them. */
const next = String(inc(version, 'minor'));
const beyond = String(inc(next, 'minor'));

test.each([
  [beyond, true],
  [`${beyond}-dev`, true],
  [`${beyond}+build.7`, true],
  ['9.10.0', true],
  [`${next}-dev`, false],
  [next, false],
  [inc(next, 'patch'), false],
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
])('a deployment of release %s is newer than the next one: %s', (Release, isNewer) => {
  const outputs = { ...OUTPUTS, Release: `${Release}` };
  const check = () =>
    expectCurrentRelease(deploymentOf({ stackName: 'CustomerDataApi-x', outputs }));
  if (isNewer) expect(check).toThrow(expect.objectContaining({ code: 'olderCommands' }));
  else expect(check).not.toThrow();
});

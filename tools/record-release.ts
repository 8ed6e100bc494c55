import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { addCustomerDataApiStack } from '../lib/customer-data-api-stack.ts';
import { synthesize } from '../local/synthesize.ts';
import { RECORDED_STAGE, recordedAssembly } from '../test/e2e/last-release.ts';
import { SETTINGS } from '../test/e2e/settings.ts';
import { type Resources, statefulResources } from '../test/support/stateful-resources.ts';

/*
 * Records the version in package.json, to compare later ones with: stage prod's stateful resources,
 * and the cloud assembly that `npm run e2e` deploys before the next one. Part of a release.
 */
const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
try {
  await recordStatefulResources(join(folder, 'prod'));
  await recordAssembly(join(folder, 'e2e'));
} finally {
  await rm(folder, { recursive: true });
}

async function recordStatefulResources(outdir: string): Promise<void> {
  const app = new App({ outdir, context: { stage: 'prod', 'aws:cdk:bundling-stacks': [] } });
  const template = Template.fromStack(addCustomerDataApiStack(app)).toJSON() as Resources;
  const file = new URL(`../test/infrastructure/releases/${version}.json`, import.meta.url);
  await writeFile(file, `${JSON.stringify(statefulResources(template), null, 2)}\n`);
}

async function recordAssembly(outdir: string): Promise<void> {
  await writeFile(join(folder, `${RECORDED_STAGE}.json`), JSON.stringify(SETTINGS));
  await synthesize(outdir, [`stages=${folder}`, `stage=${RECORDED_STAGE}`]);
  for (const file of await readdir(outdir, { recursive: true })) {
    // Larger than the code, and for people.
    if (file.endsWith('.map')) await rm(join(outdir, file));
    // Has paths of this machine.
    if (/(?:^|\W)(?:tree|metadata)\.json$/.test(file)) await writeFile(join(outdir, file), '{}');
  }
  await promisify(execFile)('tar', ['-czf', recordedAssembly(version), '-C', outdir, '.']);
}

import { execFile } from 'node:child_process';
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { addCustomerDataApiStack } from '../../lib/customer-data-api-stack.ts';
import { runProgram } from '../../packages/deployment/program/run-program.ts';
import { synthesize } from '../../packages/local/synthesize.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { recordedAssembly } from '../../test/support/recorded-release.ts';
import { type Resources, statefulResources } from '../../test/support/stateful-resources.ts';
import { expectUnrecorded, RECORDED_STAGE, versionAfter } from './last-release.ts';
import { SETTINGS } from './settings.ts';

/*
 * Records the version in package.json, to compare later ones with: the OpenAPI document, the
 * outputs and stateful resources of stage prod, and the cloud assembly that `npm run e2e` deploys
 * before the next one.
 * Then package.json gets the version of what is built next. Part of a release.
 */
const PROJECT = new URL('../../', import.meta.url);
const PACKAGE = new URL('package.json', PROJECT);
const { version } = JSON.parse(await readFile(PACKAGE, 'utf8'));
await using folder = await newFolder();
await runProgram(async () => {
  expectUnrecorded(version);
  await recordTemplate(join(folder.path, 'prod'));
  await recordAssembly(join(folder.path, 'e2e'));
  const document = `releases/${version}.json`;
  await copyFile(new URL('openapi.json', PROJECT), new URL(`openapi/${document}`, PROJECT));
  const text = await readFile(PACKAGE, 'utf8');
  await writeFile(PACKAGE, text.replace(/releases\/[\d.]+\.json/, document));
  const next = versionAfter(version);
  await run('npm', ['version', next, '--no-git-tag-version', '--ignore-scripts']);
  await run(process.execPath, ['openapi/generate.ts']);
  await run('npx', ['biome', 'check', '--write', 'test/infrastructure/releases']);
  process.stdout.write(`Recorded ${version}. The version in package.json is ${next} now.\n`);
});

async function run(program: string, words: readonly string[]): Promise<void> {
  await promisify(execFile)(program, words, { cwd: fileURLToPath(PROJECT) });
}

async function recordTemplate(outdir: string): Promise<void> {
  const app = new App({ outdir, context: { stage: 'prod', 'aws:cdk:bundling-stacks': [] } });
  const template = Template.fromStack(addCustomerDataApiStack(app)).toJSON();
  const { Resources } = statefulResources(template as Resources);
  const recorded = { Outputs: Object.keys(template.Outputs).sort(), Resources };
  const file = new URL(`../../test/infrastructure/releases/${version}.json`, import.meta.url);
  await writeFile(file, `${JSON.stringify(recorded, null, 2)}\n`);
}

async function recordAssembly(outdir: string): Promise<void> {
  await writeFile(join(folder.path, `${RECORDED_STAGE}.json`), JSON.stringify(SETTINGS));
  await synthesize(outdir, [`stages=${folder.path}`, `stage=${RECORDED_STAGE}`]);
  for (const file of await readdir(outdir, { recursive: true })) {
    // Larger than the code, and for people.
    if (file.endsWith('.map')) await rm(join(outdir, file));
    // Has paths of this machine.
    if (/(?:^|\W)(?:tree|metadata)\.json$/.test(file)) await writeFile(join(outdir, file), '{}');
  }
  await run('tar', ['-czf', recordedAssembly(version), '-C', outdir, '.']);
}

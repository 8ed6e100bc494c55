import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PIZZA } from 'customer-data-api/testing/configurations';
import { startService } from 'customer-data-api/testing/service';
import { temporaryFolder } from 'customer-data-api/testing/temporary-folder';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';

/* The steps of examples/pipeline, in a repository with a configuration. */

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const service = await startService({ environment: { CONFIG_CACHE_SECONDS: '0' } });
afterAll(() => service.stop());
const repository = await temporaryFolder();
const temporary = await temporaryFolder();
const FILE = 'configurations/pizza.yaml';

async function run(script: string, environment: Record<string, string> = {}) {
  const PATH = [temporary, process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, RUNNER_TEMP: temporary, ...environment };
  const options = { cwd: repository, env };
  return promisify(execFile)('bash', ['--norc', '-eo', 'pipefail', '-c', script], options).then(
    () => 0,
    ({ code }) => Number(code),
  );
}

/** Runs a step of the workflow for the last commit. */
async function step(name: string): Promise<number> {
  const workflow = parse(
    await readFile(join(ROOT, 'examples/pipeline/configurations.yml'), 'utf8'),
  );
  const steps: { name?: string; run: string }[] = workflow.jobs.publish.steps;
  const { run: script = '' } = steps.find((one) => one.name === name) ?? {};
  const COMMIT = 'https://example.com/1';
  return run(script, { BASE: await commitOf('HEAD^'), PULL_REQUEST: '1', COMMIT });
}

const commitOf = async (name: string) =>
  (await promisify(execFile)('git', ['rev-parse', name], { cwd: repository })).stdout.trim();

async function commit(text: string, subject: string): Promise<void> {
  await writeFile(join(repository, FILE), text);
  const git = 'git -c user.name=Jane -c user.email=jane@example.com';
  expect(await run(`git add . && ${git} commit -qm '${subject}'`)).toBe(0);
}

const review = () => readFile(join(temporary, 'comment'), 'utf8');
const captions = async () => {
  const { body } = await service.getConfig({ body: { clientId: 'pizza' } });
  return body.data.fields.map(({ fieldName }: { fieldName: string }) => fieldName);
};

test('a pull request gets the review of its files, and its merge publishes what was reviewed', async () => {
  await service.putConfig({ clientId: 'pizza', fields: [], appIds: new Set(['demo-app-key']) });
  await mkdir(join(repository, 'configurations'));
  await mkdir(join(repository, 'service'));
  const show = `service/customer-data config show pizza ${FILE}`;
  const program = `#!/bin/sh\nexec ${ROOT}/customer-data "$@" --outputs ${service.outputsFile}\n`;
  await writeFile(join(temporary, 'customer-data'), program);
  await symlink(join(temporary, 'customer-data'), join(repository, 'service/customer-data'));
  await writeFile(join(temporary, 'gh'), `#!/bin/sh\ncat > ${temporary}/comment\n`);
  for (const name of ['customer-data', 'gh']) await chmod(join(temporary, name), 0o755);
  expect(await run(`git init -q && echo service > .gitignore && ${show}`)).toBe(0);
  const shown = await readFile(join(repository, FILE), 'utf8');
  await commit(shown, 'What is live');

  const draft = `${shown.replace(/^fields:.*/m, '')}${/^fields:.*/ms.exec(PIZZA)?.[0]}`;
  await commit(draft.replace('maxChars: ', 'maxChar: '), 'A mistake');
  expect(await step('Review')).not.toBe(0);
  expect(await review()).toContain('Did you mean maxChars?');
  await commit(draft, 'Ask for the pizza $(touch hacked)');
  expect(await step('Review')).toBe(0);
  expect(await review()).toMatch(/^ {4}"Favourite pizza" is added/m);
  // Whatever is in a file, it is code in the comment.
  expect((await review()).split('\n').filter((line) => !/^(?: {4}.*|)$/.test(line))).toEqual([
    `${FILE}:`,
  ]);
  expect(await captions()).toEqual([]);
  expect(await step('Publish')).toBe(0);
  expect(await captions()).toContain('Favourite pizza');
  // The job runs again.
  expect(await step('Publish')).toBe(0);

  // Somebody else has published: a file with the base before is neither approved nor published.
  await commit(draft.replace('Favourite pizza', 'Best pizza'), 'Another word');
  expect(await step('Review')).not.toBe(0);
  expect(await step('Publish')).not.toBe(0);
  expect(await captions()).toContain('Favourite pizza');

  // A commit is reverted once its version is rolled back.
  const command = 'service/customer-data config';
  expect(await run(`rm ${FILE} && ${command} show pizza ${FILE}`)).toBe(0);
  const published = await readFile(join(repository, FILE), 'utf8');
  await commit(published.replace('Favourite pizza', 'Worst pizza'), 'A bad change');
  expect(await step('Publish')).toBe(0);
  await commit(draft, 'Revert "A bad change"');
  expect(await step('Review')).not.toBe(0);
  const [, version] = /config rollback (pizza@\d+)/.exec(await review()) ?? [];
  expect(await step('Publish')).not.toBe(0);
  expect(await captions()).toContain('Worst pizza');
  expect(await run(`${command} rollback ${version} -m Undo --yes`)).toBe(0);
  expect(await step('Review')).toBe(0);
  expect(await step('Publish')).toBe(0);
  expect(await captions()).toContain('Favourite pizza');
});

import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, matchesGlob } from 'node:path';
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
const CONFIG = 'service/customer-data config';
const COMMIT = 'https://example.com/1';

async function run(script: string, environment: Record<string, string> = {}) {
  const PATH = [temporary, process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, RUNNER_TEMP: temporary, ...environment };
  const options = { cwd: repository, env };
  return promisify(execFile)('bash', ['--norc', '-eo', 'pipefail', '-c', script], options).then(
    () => 0,
    ({ code }) => Number(code),
  );
}

const workflow = parse(await readFile(join(ROOT, 'examples/pipeline/configurations.yml'), 'utf8'));

/** Runs a step of the workflow for the commits since another one. */
async function step(name: string, base = 'HEAD^'): Promise<number> {
  const steps: { name?: string; run: string }[] = workflow.jobs.publish.steps;
  const { run: script = '' } = steps.find((one) => one.name === name) ?? {};
  const environment = { PULL_REQUEST: '1', GITHUB_REPOSITORY: 'acme/configurations', COMMIT };
  return run(script, { BASE: await commitOf(base), ...environment });
}

const commitOf = async (name: string) =>
  (await promisify(execFile)('git', ['rev-parse', name], { cwd: repository })).stdout.trim();

async function commit(text: string, subject: string, file = FILE): Promise<void> {
  await mkdir(dirname(join(repository, file)), { recursive: true });
  await writeFile(join(repository, file), text);
  const git = 'git -c user.name=Jane -c user.email=jane@example.com';
  expect(await run(`git add . && ${git} commit -qm '${subject}'`)).toBe(0);
}

/** The command line of GitHub, with the comments of the pull request in a file. */
const GH = `#!/bin/sh -e
edit() {
  jq --rawfile body /dev/stdin --arg id "$2" "$1" ${temporary}/comments > ${temporary}/edited
  mv ${temporary}/edited ${temporary}/comments
}
case "$1 $2" in
'pr view') jq -r "$7" ${temporary}/comments ;;
'pr comment') edit '.comments += [{ url: "#issuecomment-13", viewerDidAuthor: true, body: $body }]' ;;
'api --silent') edit '(.comments[] | select(.url | endswith("-" + $id)) | .body) = $body' "\${7##*/}" ;;
esac
`;
interface Comment {
  readonly url: string;
  readonly viewerDidAuthor: boolean;
  readonly body: string;
}
const comments = async (): Promise<Comment[]> =>
  JSON.parse(await readFile(join(temporary, 'comments'), 'utf8')).comments;
const review = async () => (await comments()).at(-1)?.body ?? '';
/** The lines of the review that are not code, whatever is in a file or its name. */
const renderedLines = async () =>
  (await review()).split('\n').filter((line) => !/^(?: {4}.*|)$/.test(line));
/** Comments that are not the pipeline's. */
const OTHERS: readonly Comment[] = [
  { url: '#issuecomment-11', viewerDidAuthor: true, body: 'Of another workflow' },
  { url: '#issuecomment-12', viewerDidAuthor: false, body: '<!-- Review of configurations -->' },
];

const putClient = (clientId: string) =>
  service.putConfig({ clientId, fields: [], appIds: new Set(['demo-app-key']) });
const captions = async (clientId = 'pizza') => {
  const { body } = await service.getConfig({ body: { clientId } });
  return body.data.fields.map(({ fieldName }: { fieldName: string }) => fieldName);
};

test('a pull request gets the review of its files, and its merge publishes what was reviewed', async () => {
  await putClient('pizza');
  await mkdir(join(repository, 'configurations'));
  await mkdir(join(repository, 'service'));
  const show = `${CONFIG} show pizza ${FILE}`;
  const program = `#!/bin/sh\nexec ${ROOT}/customer-data "$@" --outputs ${service.outputsFile}\n`;
  await writeFile(join(temporary, 'customer-data'), program);
  await symlink(join(temporary, 'customer-data'), join(repository, 'service/customer-data'));
  await writeFile(join(temporary, 'gh'), GH);
  await writeFile(join(temporary, 'comments'), JSON.stringify({ comments: OTHERS }));
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
  expect(await review()).toContain(`    ${FILE}:\n`);
  expect(await renderedLines()).toEqual(['<!-- Review of configurations -->']);
  expect(await comments()).toEqual([...OTHERS, expect.anything()]);
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
  expect(await run(`rm ${FILE} && ${CONFIG} show pizza ${FILE}`)).toBe(0);
  const published = await readFile(join(repository, FILE), 'utf8');
  const exchange: Readonly<Record<string, string>> = { Make: 'Model', Model: 'Make' };
  const exchanged = published.replace(
    /(?<=placeHolderText: )M\w+/g,
    (text) => exchange[text] ?? '',
  );
  await commit(exchanged, 'Exchange the inputs of the car');
  expect(await step('Review')).not.toBe(0);
  expect(await review()).toContain('"Car": its inputs have changed places');
  expect(await step('Publish')).not.toBe(0);
  await commit(published.replace('Favourite pizza', 'Worst pizza'), 'A bad change');
  expect(await step('Publish')).toBe(0);
  await commit(draft, 'Revert "A bad change"');
  expect(await step('Review')).not.toBe(0);
  const [, version] = /config rollback (pizza@\d+)/.exec(await review()) ?? [];
  expect(await step('Publish')).not.toBe(0);
  expect(await captions()).toContain('Worst pizza');
  expect(await run(`${CONFIG} rollback ${version} -m Undo --yes`)).toBe(0);
  expect(await step('Review')).toBe(0);
  expect(await step('Publish')).toBe(0);
  expect(await captions()).toContain('Favourite pizza');
});

/** Adds a client, and commits a draft of its configuration. */
async function commitDraft(clientId: string, file: string): Promise<string> {
  await putClient(clientId);
  const draft = `service/${clientId}.yaml`;
  expect(await run(`${CONFIG} show ${clientId} ${draft}`)).toBe(0);
  const shown = await readFile(join(repository, draft), 'utf8');
  const text = shown.replace(/^fields:.*/ms, /^fields:.*/ms.exec(PIZZA)?.[0] ?? '');
  await commit(text, `Ask for the ${clientId}`, file);
  return text;
}

test('each file in the folder is reviewed and published, or fails by its name', async () => {
  const file = 'configurations/italian/-it\'s "fresh" $(id)\n# pasta.yaml';
  const text = await commitDraft('pasta', file);
  expect(await step('Review')).toBe(0);
  expect(await review()).toMatch(/^ {4}"Favourite pizza" is added/m);
  expect(await renderedLines()).toEqual(['<!-- Review of configurations -->']);
  const others = ['soup.yml', 'soup.json', 'soup.YAML', 'italian/soup', 'a b.yaml.txt'].map(
    (name) => `configurations/${name}`,
  );
  for (const other of others) await commit(text, 'Add soup', other);
  const base = `HEAD~${others.length + 1}`;
  expect(await step('Review', base)).not.toBe(0);
  for (const other of others) expect(await review()).toContain(`${other.replace(' ', '\\ ')}:`);
  const { paths }: { paths: string[] } = workflow.on.push;
  const starting = [file, FILE, ...others].filter((path) =>
    paths.some((pattern) => matchesGlob(path, pattern)),
  );
  expect(starting).toEqual([file, FILE, ...others]);
  // The others are published.
  expect(await captions('pasta')).toEqual([]);
  expect(await step('Publish', base)).not.toBe(0);
  expect(await captions('pasta')).toContain('Favourite pizza');
  expect(await run('git rm -rqf configurations')).toBe(0);
  await commit('', 'Remove all', 'README.md');
  expect(await step('Publish')).toBe(0);
});

test('without a known commit before, as in a first or forced push, all files are published', async () => {
  const fileOf = (clientId: string) => `configurations/${clientId}.yaml`;
  for (const clientId of ['live', 'new', 'older']) await commitDraft(clientId, fileOf(clientId));
  const publish = (clientId: string) => run(`${CONFIG} publish ${fileOf(clientId)} --yes -m Ask`);
  const edit = `sed -i.old s/Favourite/Best/ ${fileOf('older')} && rm configurations/*.old`;
  for (const clientId of ['live', 'older']) expect(await publish(clientId)).toBe(0);
  expect([await run(edit), await publish('older'), await run('git checkout -q .')]).toEqual([
    0, 0, 0,
  ]);

  expect(await step('Publish', '0'.repeat(40))).not.toBe(0);
  expect(await captions('new')).toContain('Favourite pizza');
  expect(await captions('older')).toContain('Best pizza');
  expect([await publish('live'), await publish('older')]).toEqual([0, 3]);
  expect(await run(`git rm -qf ${fileOf('older')}`)).toBe(0);
  await commit('', 'Remove it', 'README.md');
  expect(await step('Publish', '123456789a'.repeat(4))).toBe(0);
});

import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  allDocuments,
  guides,
  PROJECT,
  parseDocument,
  readDocument,
} from '../support/documents/document.ts';

const documents = await allDocuments();
const instructions = await guides();
const changelog = await readDocument('CHANGELOG.md');
const unreleased = parseDocument(changelog.file, changelog.text.split(/^## \d/m)[0] ?? '');

const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: PROJECT });
const files = stdout.split('\0').filter((file) => file !== '');
/** The files of the project with text, other than documents. */
const sources = await Promise.all(
  files
    .filter((file) => !/\.(?:md|png|tgz)$/.test(file))
    .map(async (file) => ({ file, text: await readFile(new URL(file, PROJECT), 'utf8') })),
);

/** Files that commands and readers create. */
const CREATED = [
  'docs/api.html',
  '.local/outputs.json',
  'outputs.json',
  'build/python/requirements.txt',
  'configurations/CLIENT.yaml',
  'main.css',
];

async function expectFile(file: string): Promise<void> {
  if (CREATED.includes(file)) return;
  await expect(access(new URL(file, PROJECT)), `${file} does not exist`).resolves.toBeUndefined();
}

test.each(documents)('each link of $file has a target', async ({ file, links, anchors }) => {
  for (const link of links) {
    if (/^[a-z]+:/.test(link)) {
      expect(URL.canParse(link), link).toBe(true);
      expect(link).toMatch(/^https:\/\/[\w.-]+\.[a-z]+\//);
      continue;
    }
    const [path = '', fragment] = link.split('#');
    const target = path === '' ? file : posix.join(posix.dirname(file), path);
    await expectFile(target);
    if (fragment === undefined) continue;
    const its = path === '' ? anchors : (await readDocument(target)).anchors;
    expect(its, link).toContain(fragment);
  }
});

/** A link from a folder of `docs` to a file of the project that is no document. */
const TO_FILE = /\]\(\.\.\/\.\.\/[\w./-]+\.(?!md\))\w+\)/;

test.each(documents.filter(({ file }) => /^docs\/decisions\/(?!README)/.test(file)))(
  'each decision of $file links a test or a file that would contradict it',
  ({ text }) => {
    const decisions = text.split(/^## /m).slice(1);
    const unlinked = decisions.filter((decision) => !TO_FILE.test(decision));
    expect(unlinked.map((decision) => decision.split('\n')[0])).toEqual([]);
  },
);

/**
 * A document in a comment, a message or a link of the console: from the root of the project, or a
 * heading of a document in `docs`.
 */
const MENTION = /(?<![\w/-])(?:(?:docs|lab|packages)\/[\w./-]+\.md(?:#[\w-]+)?|[\w-]+\.md#[\w-]+)/g;

test('each document that code names exists, and so does the heading', () => {
  const anchors = new Map(documents.map((document) => [document.file, document.anchors]));
  const broken: string[] = [];
  for (const { file, text } of sources) {
    for (const [mention] of text.matchAll(MENTION)) {
      const [path = '', fragment] = mention.split('#');
      const its = anchors.get(path.includes('/') ? path : `docs/${path}`);
      if (its === undefined || (fragment !== undefined && !its.includes(fragment))) {
        broken.push(`${file}: ${mention}`);
      }
    }
  }
  expect(broken).toEqual([]);
});

/** A path from the root of the project. */
const PATH =
  /^(?:\.ci|\.github|bin|core|docs|examples|functions|lab|lib|openapi|packages|stages|test)\/[\w./-]+$/;
/** A file, by the end of its path or as packages export it. */
const FILE = /^[\w./-]+\.(?:css|html|json|md|mjs|svg|tla|tsx?|txt|ya?ml)$/;

test.each([...instructions, unreleased])('each file that $file names exists', async (document) => {
  for (const code of document.codeSpans) {
    if (PATH.test(code)) await expectFile(code);
    else if (FILE.test(code) && !CREATED.includes(code)) {
      const path = code.replace(/^customer-data-api-/, '');
      const isFound = files.some((file) => `/${file}`.endsWith(`/${path}`));
      expect(isFound, `no file is ${code}`).toBe(true);
    }
  }
});

/** A word of code, with the hyphens in it. */
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}\p{N}_$]+)*/gu;
/** Marks a word as a name: other words are of English. */
const NAME = /\p{Ll}\p{Lu}|[-_]/u;
/** The calls of these are checked with their options. */
const CHECKED = /^(?:aws|npm|npx) /;
/** A part of a name, and a placeholder. */
const PART = /\S*[…*<]\S*/g;

/** Records of releases, and the names below. */
const APART = /\/releases\/|^test\/documents\/links\.test\.ts$/;

/** Names that documents mention, and that are of others. */
const OF_OTHERS = [
  // Calls and errors of AWS.
  'AdminLinkProviderForUser ConfirmSignUp IdTokenValidity InitiateAuth SignUp',
  'admin-user-global-sign-out put-item restore-table-from-backup',
  'LimitExceededException TransactionCanceledException UnrecognizedClientException',
  // Lambda's log.
  'ImportModuleError OutOfMemory errorMessage',
  // CloudFormation and the CDK.
  'ROLLBACK_COMPLETE ROLLBACK_FAILED TerminationProtection',
  'UPDATE_FAILED UPDATE_ROLLBACK_COMPLETE UPDATE_ROLLBACK_FAILED',
  'InputPath RuleTargetInput cfn-exec cloudformation-execution-policies fromEventPath',
  'permissionsBoundary your-boundary',
  // Dates in C# and Dart.
  'CultureInfo DateTime InvariantCulture ToString UtcNow toIso8601String toUtc',
  // Android, iOS and React Native.
  'AD_ID APPEND_OR_REPLACE usesCleartextTraffic',
  'AuthError BGAppRefreshTask NSAllowsLocalNetworking sessionExpired signedOut',
  'transformIgnorePatterns',
  // Generated clients, and npm.
  'ModelField _request_timeout engine-strict min-release-age',
].flatMap((names) => names.split(' '));

test('each name that a document has in backticks is in a file that is no document', () => {
  const known = wordsIn(sources.filter(({ file }) => !APART.test(file)));
  const unknown = [...instructions, unreleased].flatMap(({ file, codeSpans }) =>
    codeSpans
      .filter((code) => !CHECKED.test(code))
      .flatMap((code) => code.replace(PART, '').match(WORD) ?? [])
      .filter((word) => NAME.test(word) && !known.has(word) && !OF_OTHERS.includes(word))
      .map((name) => ({ file, name })),
  );
  expect(unknown).toEqual([]);
});

/** Returns the words in files and their names, and the parts of those with hyphens. */
function wordsIn(some: typeof sources): Set<string> {
  const words = some.flatMap(({ file, text }) => `${file}\n${text}`.match(WORD) ?? []);
  return new Set(words.flatMap((word) => [word, ...word.split('-')]));
}

test.each([
  ['docs/README.md', 'docs/', instructions.filter(({ file }) => file !== 'docs/README.md')],
  ['docs/decisions/README.md', 'docs/decisions/', documents],
])('%s lists each document of its folder', async (index, folder, all) => {
  const { links } = await readDocument(index);
  for (const { file } of all) {
    const [, name = ''] = file.split(folder);
    if (/^\w[^/]*(?<!README)\.md$/.test(name)) expect(links).toContain(name);
  }
});

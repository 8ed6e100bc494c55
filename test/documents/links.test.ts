import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { allDocuments, guides, PROJECT, readDocument } from '../support/documents/document.ts';

const instructions = await guides();
const documents = await allDocuments();

/** Files that a command creates. */
const GENERATED = ['docs/api.html'];

async function expectFile(file: string): Promise<void> {
  if (GENERATED.includes(file)) return;
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

test('each document that code names exists, and so does the heading', async () => {
  const types = 'ts tsx mjs tla go kt swift py yaml yml svg'.split(' ').map((type) => `*.${type}`);
  const options = { cwd: PROJECT };
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z', '--', ...types], options);
  const anchors = new Map(documents.map((document) => [document.file, document.anchors]));
  const broken: string[] = [];
  for (const file of stdout.split('\0').filter((name) => name !== '')) {
    const text = await readFile(new URL(file, PROJECT), 'utf8');
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

test.each(instructions)('each file that $file names exists', async ({ codeSpans }) => {
  const DIRECTORIES =
    /^(?:\.ci|\.github|bin|core|docs|examples|functions|lab|lib|openapi|packages|stages|test)\/[\w./-]+$/;
  for (const code of codeSpans) if (DIRECTORIES.test(code)) await expectFile(code);
});

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

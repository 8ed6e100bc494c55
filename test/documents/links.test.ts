import { access } from 'node:fs/promises';
import { posix } from 'node:path';
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

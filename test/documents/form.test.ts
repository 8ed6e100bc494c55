import { expect, test } from 'vitest';
import { guides, readDocument, records } from '../support/documents/document.ts';

/* The form of the documents: their readers, the length of the README, and the parts of a decision. */

const instructions = await guides();
const decisions = (await records()).filter(({ file }) => /\/\d{4}-[\w-]+\.md$/.test(file));

test('the README has at most 150 lines', async () => {
  const { text } = await readDocument('README.md');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

test.each(instructions)('each table of $file has a header row', ({ tables }) => {
  for (const { header } of tables) for (const cell of header) expect(cell).not.toBe('');
});

test.each(instructions.filter(({ file }) => file !== 'README.md'))(
  'the first line of $file names its reader',
  ({ firstParagraph }) => expect(firstParagraph).toMatch(/^For [^.]+\./),
);

test.each(instructions)('each CDK command in a block of $file names the stage', ({ blocks }) => {
  // Without it, the CDK takes the stage `dev`.
  for (const { text } of blocks.filter((block) => block.language === 'sh')) {
    for (const line of text
      .split('\n')
      .filter((one) => /\bcdk (?:deploy|destroy|diff)\b/.test(one))) {
      expect(line).toContain(' -c stage=');
      if (line.includes('cdk deploy')) expect(line).toContain(' --outputs-file outputs.json');
    }
  }
});

test.each(decisions)(
  '$file has date, status, context, decision and consequences',
  ({ file, text, firstParagraph, headings }) => {
    const number = Number(/\/(\d{4})-/.exec(file)?.[1]);
    expect(headings[0]).toMatch(new RegExp(`^${number}\\. `));
    expect(firstParagraph).toMatch(
      /^Date: \d{4}-\d\d-\d\d · Status: (?:accepted|superseded by \[\d+\])/,
    );
    expect(headings.slice(1)).toEqual(['Context', 'Decision', 'Consequences']);
    expect(text).not.toMatch(/\n## [^\n]+\n+(?:##|$)/);
  },
);

test('the index of decisions lists each decision with its title, date and status', async () => {
  const { tables } = await readDocument('docs/decisions/README.md');
  const expected = decisions.map(({ file, firstParagraph, headings }) => [
    `[${headings[0]}](${file.split('/').at(-1)})`,
    ...(
      /^Date: (\S+) · Status: (accepted|superseded by \[\d+\]\([^)]+\))/.exec(firstParagraph) ?? []
    ).slice(1),
  ]);
  expect(tables[0]?.rows).toEqual(expected);
});

test('a decision and the one that supersedes it name each other', () => {
  const supersedings = (pattern: RegExp, order: (ours: number, theirs: number) => number[]) =>
    decisions.flatMap(({ headings, firstParagraph }) =>
      [...(pattern.exec(firstParagraph)?.[1] ?? '').matchAll(/\[(\d+)\]/g)].map(([, theirs]) =>
        order(Number.parseInt(headings[0] ?? '', 10), Number(theirs)),
      ),
    );
  const newer = supersedings(/Supersedes: (.*)/, (ours, theirs) => [theirs, ours]);
  const older = supersedings(/superseded by (.*)/, (ours, theirs) => [ours, theirs]);
  expect(newer.sort()).toEqual(older.sort());
});

import { expect, test } from 'vitest';
import { guides } from '../../test/support/documents/document.ts';
import { LANES } from './lanes.ts';
import { outdatedLanes } from './table.ts';

const documents = (await guides()).filter(({ file }) => /^docs\/\w/.test(file));

test.each(documents)(
  '$file links the evidence of each lane that it quotes',
  ({ codeSpans, links }) => {
    for (const { name, script } of LANES) {
      if (!codeSpans.some((code) => code.startsWith(`npm run ${script}`))) continue;
      const rows = LANES.filter((lane) => lane.script === script).map((lane) => lane.name);
      const linked = links.filter((link) => link.includes('lab/EVIDENCE.md#'));
      expect(
        rows.some((row) => linked.some((link) => link.endsWith(`#${row}`))),
        name,
      ).toBe(true);
    }
  },
);

test('the lanes whose files have changed since their last whole run are known', async () => {
  for (const { name } of await outdatedLanes()) {
    process.stdout.write(`lab/EVIDENCE.md: the files of ${name} have changed since its run.\n`);
  }
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { updatePublished } from '../../../../cli/config/draft.ts';
import type { PlannedChange } from '../../../../core/configuration/plan-change.ts';

const PUBLISHED = 'clientId: demo\nlastFieldId: 0\nfields: []\n';
const after = { lastFieldId: { N: '0' }, fields: { L: [] } };

test.each([
  ['gets the new base', PUBLISHED, /^clientId: demo\nbase: /, /has the new base and ids/],
  [
    'keeps what was edited while it was published',
    `${PUBLISHED}# a note\n`,
    /^clientId: demo\nlastFieldId: 0\nfields: \[\]\n# a note\n$/,
    /is not what was published\. Pull/,
  ],
])('a published file %s', async (_, stored, content, told) => {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  try {
    const file = join(folder, 'demo.yaml');
    await writeFile(file, stored);
    const plan = { after } as unknown as PlannedChange;
    expect(await updatePublished(file, PUBLISHED, plan)).toMatch(told);
    expect(await readFile(file, 'utf8')).toMatch(content);
  } finally {
    await rm(folder, { recursive: true });
  }
});

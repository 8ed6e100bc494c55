import { expect, test } from 'vitest';
import { describeVersion } from '../../../../core/configuration/conflict.ts';
import type { VersionSummary } from '../../../../core/configuration/version.ts';

const VERSION: VersionSummary = {
  ...{ clientId: 'pizza', version: 3, digest: 'digest', at: '2026-11-21T23:50:00.123Z' },
  ...{ source: 'published', by: 'jane', message: 'Add Funghi', problems: 0, highestId: 0 },
  ...{ eventId: 'event', keys: { appIds: [] } },
  position: { stream: 'stream', sequenceNumber: '1' },
};

test.each<[Partial<VersionSummary>, string]>([
  [{}, 'published by jane: Add Funghi'],
  [{ message: 'Add\u001b[2J' }, 'published by jane: Add\\u001b[2J'],
  [{ source: 'outside' }, 'edited outside the tools'],
  [{ source: 'outside', isDeleted: true }, 'removed outside the tools'],
])('a version with %j says when and by whom', (change, how) => {
  const line = `pizza@3 at 2026-11-21T23:50:00Z, ${how}`;
  expect(describeVersion({ ...VERSION, ...change })).toBe(line);
});

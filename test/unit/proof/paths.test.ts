import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coveringPaths, readPaths, writePaths } from '../../../proof/paths.ts';

/**
 * Graphs as TLC dumps them, in which a message is received, lost or deleted after call 1 was sent.
 */
const MESSAGES = {
  none: '{}',
  waiting: '{[call |-> 1, at |-> \\"waiting\\", receives |-> 0]}',
  hidden: '{[call |-> 1, at |-> \\"hidden\\", receives |-> 1]}',
};
const CALL = '[date |-> monday, at |-> \\"over\\", told |-> \\"queued\\"]';
const nodes = [
  `1 [label="/\\\\ calls = <<>>\\n/\\\\ table = {}\\n/\\\\ messages = {}",style = filled]`,
  ...Object.values(MESSAGES).map(
    (messages, index) =>
      `${index + 2} [label="/\\\\ calls = << ${CALL} >>\\n/\\\\ table = {}\\n/\\\\ messages = ${messages}"];`,
  ),
];
const edges = ['1 -> 3 Send', '3 -> 4 Receive', '4 -> 3 VisibilityEnds', '4 -> 2 Delete'].map(
  (edge) => edge.replace(/ (\w+)$/, ' [label="$1",color="black"];'),
);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('paths cover every transition, start at the initial state, and are the same as text', async () => {
  const file = join(folder, 'graph.dot');
  await writeFile(file, [...nodes, ...edges].join('\n'));
  const { paths, transitions } = await coveringPaths(file, 10);
  expect(transitions).toBe(4);
  const actions = paths.flat().map(({ action }) => action);
  expect(new Set(actions)).toEqual(
    new Set(['Send 1 monday', 'Receive 1', 'VisibilityEnds 1', 'Delete 1']),
  );
  for (const [first] of paths) expect(first?.state).toBe('monday over queued | - | 1 waiting 0');
  expect(readPaths(writePaths(paths))).toEqual(paths);
});

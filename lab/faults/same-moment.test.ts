import { expect, inject, test } from 'vitest';
import { runLocalRounds } from './same-moment.ts';

test('a code that is sent on many connections at the same moment is applied once', async () => {
  const rounds = { rounds: 2, connections: 30 };
  expect(await runLocalRounds(inject('cloudAssembly'), rounds)).toEqual([]);
});

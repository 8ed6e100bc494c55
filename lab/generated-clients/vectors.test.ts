import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { normalizedAnswer, type SubField } from '../../packages/sdk/src/index.ts';
import vectors from '../../packages/sdk/test-vectors/fields.json' with { type: 'json' };
import { argumentsOf } from './documented-commands.ts';

const FILE = fileURLToPath(new URL('../../packages/sdk/test-vectors/fields.json', import.meta.url));

test('the example app in Kotlin shows the same fields and accepts the same answers', async () => {
  const args = await argumentsOf(new URL('kotlin/', import.meta.url), 'VectorsKt');
  const { stdout } = await promisify(execFile)('java', [...args, FILE]);
  const { shown, problems, lost, spaces } = JSON.parse(stdout);
  expect(shown).toEqual(vectors.shown);
  const expected = vectors.answers;
  expect(expected.map((answer, index) => ({ ...answer, problems: problems[index] }))).toEqual(
    expected,
  );
  const isLost = (code: number) =>
    normalizedAnswer({ subType: 'text' } as SubField, `a${String.fromCodePoint(code)}b`) === 'ab';
  const codes = [0, 1, 14].flatMap((plane) =>
    Array.from({ length: 0x10000 }, (_, code) => plane * 0x10000 + code),
  );
  expect(lost).toEqual(codes.filter(isLost));
  expect(spaces).toBe(200_002);
});

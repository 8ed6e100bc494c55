import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fieldDifferences } from '../field-vectors.ts';
import { argumentsOf } from './documented-commands.ts';

const FILE = fileURLToPath(new URL('../../packages/sdk/test-vectors/fields.json', import.meta.url));

test('the example app in Kotlin shows the same fields and accepts the same answers', async () => {
  const args = await argumentsOf(new URL('kotlin/', import.meta.url), 'VectorsKt');
  const { stdout } = await promisify(execFile)('java', [...args, FILE]);
  expect(fieldDifferences(JSON.parse(stdout))).toEqual([]);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { previewCommand } from '../../../../cli/preview/command.ts';
import { UsageError } from '../../../../core/platform/command-error.ts';
import { PIZZA } from '../../../support/configurations.ts';

let file: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  file = join(folder, 'pizza.yaml');
});
afterAll(() => rm(folder, { recursive: true }));

/** Previews a file, which needs no deployment. */
async function preview(text: string, ...options: readonly string[]) {
  await writeFile(file, text);
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const error = await previewCommand({ stdin, stdout, stderr })
    .parseAsync(['pizza', file, ...options], { from: 'user' })
    .then(() => undefined)
    .catch((reason: Error) => reason);
  return { error, stdout: String(stdout.read() ?? ''), stderr: stderr.read() };
}

test('a file without errors is drawn, also one with warnings', async () => {
  // The placeholder is longer than what the customer may enter.
  const advised = PIZZA.replace('maxChars: 8', 'maxChars: 7');
  for (const text of [PIZZA, advised]) {
    const { error, stdout, stderr } = await preview(text);
    expect({ error, stderr }).toEqual({ error: undefined, stderr: null });
    expect(stdout).toMatch(/^Registration\n={80}\n\nMembership number \*\n/);
  }
});

test.each([1, 2])(
  'of a file with %d errors, the rest is drawn, and the command fails',
  async (count) => {
    const text = PIZZA.replace('drop\n    fieldName', 'drip\n    fieldName').replace(
      'maxChars: 20',
      count === 2 ? 'maxChars: 0' : 'maxChars: 20',
    );
    const { error, stdout } = await preview(text);
    expect(stdout).toContain('\nMembership number *\n');
    expect(stdout).not.toContain('Favourite pizza');
    expect(error?.message.split('\n')).toEqual([
      expect.stringMatching(/^fields\[0\]\.fieldType: /),
      ...(count === 2 ? [expect.stringMatching(/^fields\[2\]\.subFieldB\.maxChars: /)] : []),
    ]);
    const json = await preview(text, '--json');
    expect(JSON.parse(json.stdout).fields).toHaveLength(3 - count);
    expect(json.error?.message).toBe(error?.message);
  },
);

test('the file of another client is refused', async () => {
  const { error, stdout } = await preview(PIZZA.replace('clientId: pizza', 'clientId: pasta'));
  expect(error).toBeInstanceOf(UsageError);
  expect(error?.message).toBe(
    `${file} is the configuration of pasta, not of pizza. Correct the command, or clientId in the file.`,
  );
  expect(stdout).toBe('');
});

test('as JSON, it is what apps get', async () => {
  const text = PIZZA.replaceAll(/ {2}- id: "\d"\n {4}/g, '  - ');
  const { error, stdout } = await preview(text, '--json');
  expect(error).toBeUndefined();
  const { fields, lastFieldId, ...others } = JSON.parse(stdout);
  // What the service derives is there, and what apps do not get is not.
  expect({ lastFieldId, others }).toEqual({ lastFieldId: 6, others: {} });
  expect(fields[0]).toMatchObject({
    id: '4',
    subFieldA: { options: 'Margherita:m\nFunghi:f', alpha: false },
    subFieldB: {},
  });
});

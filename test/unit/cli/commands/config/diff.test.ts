import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { diffConfigurations, printDifferences } from '../../../../../cli/commands/config/diff.ts';
import { PIZZA } from '../../../../support/configurations.ts';

test('another order of attributes, and another base, are no difference', () => {
  const { lastFieldId, fields, ...rest } = parse(PIZZA);
  const [before, after] = [parse(PIZZA), { fields, lastFieldId, ...rest, base: 'x' }];
  const [old, fresh] = [before, after].map((content) => ({ name: 'pizza', content }));
  expect(old && fresh && diffConfigurations(old, fresh)).toEqual({ changes: [], lines: [] });
});

test.each([
  [{}, '-old\\u001b[2J\n+new\n@@ -1 +1 @@\n same\n\nA\\u001b[2J is called B.\n'],
  [
    { isTTY: true, columns: 14 },
    '\u001b[31m-old\\u001b[2J\u001b[39m\n\u001b[32m+new\u001b[39m\n\u001b[36m@@ -1 +1 @@\u001b[39m\n same\n\nA\\u001b[2J is\ncalled B.\n',
  ],
])('they are printed for %j, in its width and colours', (terminal, printed) => {
  const stream = Object.assign(new PassThrough(), terminal);
  const lines = ['-old\u001b[2J', '+new', '@@ -1 +1 @@', ' same'];
  printDifferences({ changes: ['A\u001b[2J is called B.'], lines }, stream);
  expect(String(stream.read())).toBe(printed);
});

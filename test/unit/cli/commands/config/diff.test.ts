import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { diffConfigurations } from '../../../../../cli/commands/config/diff.ts';
import { PIZZA } from '../../../../support/configurations.ts';

test('another order of attributes, and another base, are no difference', () => {
  const { lastFieldId, fields, ...rest } = parse(PIZZA);
  const [before, after] = [parse(PIZZA), { fields, lastFieldId, ...rest, base: 'x' }];
  const [old, fresh] = [before, after].map((content) => ({ name: 'pizza', content }));
  expect(old && fresh && diffConfigurations(old, fresh)).toEqual({ changes: [], lines: [] });
});

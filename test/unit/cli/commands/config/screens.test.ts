import fc from 'fast-check';
import { expect, test } from 'vitest';
import { screens } from '../../../../../cli/commands/config/screens.ts';
import type { Field } from '../../../../../core/configuration/field.ts';
import { wireFields } from '../../../../support/configurations.ts';

test('for any fields, each line has at most 80 characters and no control characters', () => {
  const long = fc
    .tuple(wireFields, fc.nat(200))
    .map(([all, length]) =>
      all.map((field) => ({ ...field, fieldName: field.fieldName + 'x y'.repeat(length) })),
    );
  fc.assert(
    fc.property(long, (all) => {
      for (const line of screens(all as unknown as Field[])) {
        expect([...line].length).toBeLessThanOrEqual(80);
        expect(line).not.toMatch(/\p{Cc}/u);
      }
    }),
  );
});

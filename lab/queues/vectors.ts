import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import vectors from '../../packages/sdk/test-vectors/queue.json' with { type: 'json' };

/** The test vectors of the app SDK. */
export const VECTORS = fileURLToPath(
  new URL('../../packages/sdk/test-vectors/queue.json', import.meta.url),
);

/**
 * Compares what a queue has shown in each step with the test vectors. Returns their number.
 *
 * @throws UserError with each step that differs.
 */
export function compareVectors(seen: readonly (readonly object[])[]): number {
  const differences = vectors.scenarios.flatMap(({ name, steps }, scenario) =>
    (steps as readonly { readonly see?: object }[]).flatMap(({ see = {}, ...step }, at) => {
      const shown = seen[scenario]?.[at];
      const sides = [step, see, shown].map((one) => JSON.stringify(one));
      return isDeepStrictEqual(shown, see) ? [] : [`${name}: ${sides.join('\n  ')}`];
    }),
  );
  if (differences.length > 0) throw new UserError(differences.join('\n'));
  return seen.length;
}

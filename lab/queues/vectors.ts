import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import vectors from '../../packages/sdk/test-vectors/queue.json' with { type: 'json' };
import { runKotlin } from './queues.ts';

const FILE = new URL('../../packages/sdk/test-vectors/queue.json', import.meta.url);

/**
 * Compares the queue in Kotlin with the test vectors of the app SDK. Returns their number.
 *
 * @throws UserError with each step that differs.
 */
export async function compareVectors(): Promise<number> {
  const seen: object[][] = JSON.parse(await runKotlin('VectorsKt', fileURLToPath(FILE)));
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

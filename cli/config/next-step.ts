import { ConfigurationConflict } from '../../core/configuration/conflict.ts';
import { ConflictError } from '../../core/platform/command-error.ts';

/**
 * Makes a change of a client's configuration. If somebody else was faster, the error also says how to go on.
 *
 * @param steps what to do then.
 * @throws ConflictError if somebody else changed the configuration.
 */
export async function withNextStep(
  clientId: string,
  make: () => Promise<void>,
  steps: (conflict: ConfigurationConflict) => readonly string[],
): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (!(error instanceof ConfigurationConflict)) throw error;
    const {
      base,
      changes: [newest],
    } = error;
    const versions = base && newest && `${clientId}@${base.version} ${clientId}@${newest.version}`;
    throw new ConflictError(
      [
        error.message,
        ...(versions ? [`customer-data config diff ${versions} shows what changed.`] : []),
        ...steps(error),
      ].join('\n'),
    );
  }
}

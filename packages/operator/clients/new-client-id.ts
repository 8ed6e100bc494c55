import { newestVersion, type VersionsTable } from 'customer-data-api/history';
import { printable, UsageError } from 'customer-data-api-deployment/program';

/**
 * Ids permitted for new clients: commands can tell them from a version (`pizza@3`), a file or an
 * option. The service accepts more, so existing clients keep theirs.
 */
const NEW_CLIENT_ID = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u;
const FILE = /\.ya?ml$/i;

/** Suggests an id in place of one that is not permitted; undefined if it is permitted. */
function correctedClientId(clientId: string): string | undefined {
  if (NEW_CLIENT_ID.test(clientId) && !FILE.test(clientId)) return undefined;
  const corrected = clientId
    .replace(FILE, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}._]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+|-+$/gu, '');
  return corrected === '' || FILE.test(corrected) ? 'pizza' : corrected;
}

/**
 * Fails if a client cannot have an id. One that was removed may come back under its old id,
 * whatever that is.
 *
 * @throws UsageError if other commands would not recognize it as a client.
 */
export async function expectNewId(versions: VersionsTable, clientId: string): Promise<void> {
  const corrected = correctedClientId(clientId);
  if (corrected === undefined) return;
  if (await newestVersion(versions, clientId)) return;
  throw new UsageError(
    `${printable(clientId)} is not allowed as the id of a new client. Use letters, digits, ".", "-" and "_", and begin with a letter or digit: ${corrected}. Elsewhere, pizza@2 names a version and pizza.yaml a file.`,
  );
}

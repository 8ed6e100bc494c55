/**
 * Ids permitted for new clients: commands can tell them from a version (`pizza@3`), a file or an
 * option. The service accepts more, so existing clients keep theirs.
 */
const NEW_CLIENT_ID = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u;
const FILE = /\.ya?ml$/i;

/** Suggests an id in place of one that is not permitted; undefined if it is permitted. */
export function correctedClientId(clientId: string): string | undefined {
  if (NEW_CLIENT_ID.test(clientId) && !FILE.test(clientId)) return undefined;
  const corrected = clientId
    .replace(FILE, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}._]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+|-+$/gu, '');
  return corrected === '' || FILE.test(corrected) ? 'pizza' : corrected;
}

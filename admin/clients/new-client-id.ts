/**
 * The ids that a new client may have: those that every command can tell from a version, such as
 * `pizza@3`, a file or an option. The service accepts more, so existing clients keep theirs.
 */
const NEW_CLIENT_ID = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u;
const FILE = /\.ya?ml$/i;

/**
 * What a new client may be called, instead of an id that is not permitted. Undefined if the id is.
 */
export function correctedClientId(clientId: string): string | undefined {
  if (NEW_CLIENT_ID.test(clientId) && !FILE.test(clientId)) return undefined;
  const corrected = clientId
    .replace(FILE, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}._]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+|-+$/gu, '');
  return corrected === '' || FILE.test(corrected) ? 'pizza' : corrected;
}

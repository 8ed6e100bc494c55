/**
 * Decodes a file: UTF-8, or UTF-16 if its byte order mark says so. The mark stays.
 *
 * @throws TypeError if it is in another encoding: its characters would be lost.
 */
export function fileText(bytes: Uint8Array): string {
  const mark = `${bytes[0]} ${bytes[1]}`;
  const encoding = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding, { ignoreBOM: true, fatal: true }).decode(bytes);
}

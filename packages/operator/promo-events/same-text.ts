/**
 * True if two texts differ in case, spaces and what nobody sees only. Without a second one, any
 * text is the same.
 */
export function isSameText(text = '', other = text): boolean {
  return folded(text) === folded(other);
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\p{Default_Ignorable_Code_Point}]+/gu, '')
    .toLowerCase();
}

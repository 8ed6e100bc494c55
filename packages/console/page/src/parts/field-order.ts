import { withMoved } from '../draft.ts';
import { TEXTS } from '../texts.ts';
import type { StoredDraft } from '../use-draft.ts';
import type { View } from '../use-view.ts';

/** Moves a field to another position, and keeps the form of the same field open. */
export function moveField(
  { draft: { fields }, edit }: StoredDraft,
  { open, setOpen }: View,
  { from, to, name }: { readonly from: number; readonly to: number; readonly name: string },
): void {
  if (from === to || to < 0 || to >= fields.length) return;
  edit(withMoved(fields, from, to), '', TEXTS.editor.movedTo(name, to + 1));
  const positions = withMoved([...fields.keys()], from, to);
  if (open !== -1) setOpen(positions.indexOf(open));
}

/** The keys that move a field, with Alt. */
export function positionOf(key: string, from: number, count: number): number | undefined {
  const positions: Readonly<Record<string, number>> = {
    ArrowUp: from - 1,
    ArrowDown: from + 1,
    Home: 0,
    End: count - 1,
  };
  return positions[key];
}

import { useEffect } from 'preact/hooks';
import type { Client, UndoDraft } from '../answers.ts';
import { type EditedDraft, isChanged } from '../draft/draft.ts';
import type { StoredDraft } from '../draft/use-draft.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useMerge } from '../publish/conflict.tsx';

interface Props {
  readonly client: Client;
  readonly stored: StoredDraft;
  readonly undo: UndoDraft;
  readonly onClose: () => void;
}

/**
 * Opens what undoes one version as a draft. It asks first if later versions changed the same, or if
 * there is a draft with work.
 */
export function UndoDialog({ client, stored, undo, onClose }: Props) {
  const { undoes } = undo;
  const names = { mine: `Before version ${undoes}`, theirs: 'Now' };
  const { merged, choices } = useMerge(undo, client, names);
  const isNothing = choices.length === 0 && merged !== undefined && !isChanged(merged);
  const isClear = choices.length === 0 && merged !== undefined && !isNothing && !stored.hasWork;
  const open = (draft: EditedDraft) => {
    stored.replace(
      draft,
      `Without version ${undoes}, with all that came after it. Read it, and publish it.`,
    );
    onClose();
  };
  useEffect(() => {
    if (isClear) open(merged);
  }, []);
  if (isClear) return null;
  return (
    <Dialog title={`Undo only version ${undoes}`} onClose={onClose}>
      {isNothing ? (
        <p>{`Nothing of version ${undoes} is left: what it changed is as it was before.`}</p>
      ) : (
        <>
          {choices.length > 0 && <p>Later versions changed the same. Choose what to keep:</p>}
          {choices}
          {stored.hasWork && (
            <p class="warning">
              You have a draft of this client, which this replaces. Undo brings it back.
            </p>
          )}
          <p class="actions">
            <Button
              class="primary"
              disabled={!merged || !isChanged(merged)}
              onClick={() => merged && open(merged)}
            >
              {stored.hasWork ? 'Replace my draft' : 'Open as a draft'}
            </Button>
          </p>
        </>
      )}
    </Dialog>
  );
}

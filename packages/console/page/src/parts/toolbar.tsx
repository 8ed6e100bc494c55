import { TEXTS } from '../texts.ts';
import type { StoredDraft } from '../use-draft.ts';
import { PUBLISH_KEY, usePublishKey } from '../use-publish-key.ts';
import { useUndoKeys } from '../use-undo-keys.ts';
import type { View } from '../use-view.ts';
import { Button, FindingCount } from './basics.tsx';

interface Props {
  readonly stored: StoredDraft;
  readonly view: View;
  /** The errors and warnings of the draft. */
  readonly findings: number;
  /** True if somebody else has published since the draft was begun. */
  readonly isOutdated: boolean;
  /** What has happened elsewhere. */
  readonly news: string | false;
  readonly onPublish: () => void;
}

/** Says in which state a draft is, and undoes, discards or publishes it. */
export function Toolbar({ stored, view, findings, isOutdated, news, onPublish }: Props) {
  const { unchanged, stored: kept, notStored, fixFirst, merge, publish } = TEXTS.editor;
  const { isChanged, notice } = stored;
  const state = isChanged ? (stored.isStored ? kept : notStored) : unchanged;
  const told = notice || news;
  const run = (step: () => readonly unknown[]) => view.keepOpen(step());
  useUndoKeys(
    () => run(stored.undo),
    () => run(stored.redo),
  );
  const publishOrFix = () => {
    if (view.fix) view.fix();
    else if (isChanged) onPublish();
  };
  usePublishKey(publishOrFix);
  const discard = () => {
    if (globalThis.confirm(TEXTS.editor.discardQuestion)) return stored.restart();
    return stored.draft.fields;
  };
  const buttons = [
    ['undo', stored.canUndo, stored.undo],
    ['redo', stored.canRedo, stored.redo],
    ['discard', isChanged, discard],
  ] as const;
  return (
    <div class="toolbar">
      {buttons.map(([name, isEnabled, step]) => (
        <Button key={name} aria-disabled={!isEnabled} onClick={() => isEnabled && run(step)}>
          {TEXTS.editor[name]}
        </Button>
      ))}
      <span role="status">{told ? <strong>{told}</strong> : state}</span>
      <FindingCount findings={findings} errors={view.errors} />
      <Button
        class="primary"
        // It stays in the order of focus, so that a dialog can give it back.
        aria-disabled={!isChanged && !view.fix}
        {...PUBLISH_KEY}
        onClick={publishOrFix}
      >
        {view.fix ? fixFirst(view.errors) : isOutdated ? merge : publish}
      </Button>
    </div>
  );
}

import { countFindings } from 'customer-data-api/configuration';
import { useRef } from 'preact/hooks';
import type { DraftFinding } from '../draft.ts';
import { TEXTS } from '../texts.ts';
import type { StoredDraft } from '../use-draft.ts';
import { PUBLISH_KEY, useKeys } from '../use-keys.ts';
import { isSolvedHere, type View } from '../use-view.ts';
import { Button, FindingCount } from './basics.tsx';
import { PlacedFindings } from './labeled.tsx';

interface Props {
  readonly stored: StoredDraft;
  readonly view: View;
  readonly findings: readonly DraftFinding[];
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
  const publishOrFix = () => {
    if (view.fix) view.fix();
    else if (isChanged) onPublish();
  };
  useKeys({
    publish: publishOrFix,
    undo: () => run(stored.undo),
    redo: () => run(stored.redo),
  });
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
      <Found {...{ findings, view }} />
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

/** Counts what is wrong with a draft; if it is opened, each finding leads to where it is solved. */
function Found({ findings, view }: Pick<Props, 'findings' | 'view'>) {
  const list = useRef<HTMLDetailsElement>(null);
  if (findings.length === 0) return null;
  const leadTo = (finding: DraftFinding) => () => {
    list.current?.removeAttribute('open');
    view.lead(finding.number);
  };
  return (
    <details class="found" ref={list}>
      <summary>
        <FindingCount findings={findings.length} errors={countFindings(findings).errors} />
      </summary>
      <p>{TEXTS.editor.severities}</p>
      <PlacedFindings
        findings={findings}
        leadTo={(finding) => (isSolvedHere(finding) ? leadTo(finding) : undefined)}
      />
    </details>
  );
}

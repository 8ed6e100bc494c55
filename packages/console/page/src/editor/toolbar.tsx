import { counted, countFindings } from 'customer-data-api/configuration';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DraftFinding } from '../draft/draft.ts';
import { emptyLanguages } from '../draft/languages.ts';
import type { StoredDraft } from '../draft/use-draft.ts';
import { FindingCount } from '../findings/badge.tsx';
import { PlacedFindings } from '../findings/findings.tsx';
import { Button, isPublishKey, PUBLISH_KEY } from '../parts/button.tsx';
import { Question } from '../parts/dialog.tsx';
import { Icon } from '../parts/icons.tsx';
import { Popup } from '../parts/popup.tsx';
import { Sentence } from '../parts/sentences.tsx';
import { isSolvedHere, type View } from './use-view.ts';

interface Props {
  readonly stored: StoredDraft;
  readonly view: View;
  readonly findings: readonly DraftFinding[];
  /** True if somebody else has published since the draft was begun. */
  readonly isOutdated: boolean;
  /** True while a rollout runs: nothing else can be published. */
  readonly isBlocked: boolean;
  /** Changes that were made elsewhere. */
  readonly news: string;
  readonly onPublish: () => void;
  /** True if the phone has slid over the form, in a narrow window. */
  readonly isPhoneOpen: boolean;
  readonly onTogglePhone: () => void;
}

/** Says in which state a draft is, and undoes, discards or publishes it. */
export function Toolbar(props: Props) {
  const { stored, view, findings, isOutdated, isBlocked, news, onPublish } = props;
  const { isPhoneOpen, onTogglePhone } = props;
  const { isChanged, notice } = stored;
  const state = isChanged
    ? isBlocked && stored.isStored
      ? 'Not published, as a rollout runs. The draft is saved in this browser only.'
      : stored.isStored
        ? 'Not published. The draft is saved in this browser only.'
        : 'Not published. This browser cannot save the draft: publish before you leave.'
    : stored.isStored && emptyLanguages(stored.draft, stored.draft.added).length > 0
      ? 'No changes. Languages without a text are in this browser only.'
      : 'No changes';
  const told = notice.length > 0 ? notice : news;
  const canPublish = isChanged && !isBlocked;
  const run = (step: () => readonly unknown[]) => view.keepOpen(step());
  const publishOrFix = () => {
    if (view.fix) view.fix();
    else if (canPublish) onPublish();
  };
  useKeys({
    publish: publishOrFix,
    undo: () => run(stored.undo),
    redo: () => run(stored.redo),
  });
  const [isDiscarding, setIsDiscarding] = useState(false);
  const steps = [
    ['Undo', 'undo', stored.canUndo, stored.undo],
    ['Redo', 'redo', stored.canRedo, stored.redo],
  ] as const;
  return (
    <div class="toolbar">
      {steps.map(([name, icon, isEnabled, step]) => (
        <Button
          key={name}
          class="text icon-only"
          aria-label={name}
          title={name}
          aria-disabled={!isEnabled}
          onClick={() => isEnabled && run(step)}
        >
          <Icon name={icon} />
        </Button>
      ))}
      <Button
        class="text danger"
        aria-disabled={!stored.hasWork}
        onClick={() => stored.hasWork && setIsDiscarding(true)}
      >
        Discard…
      </Button>
      <span role="status">
        {told.length > 0 ? (
          <strong>
            <Sentence>{told}</Sentence>
          </strong>
        ) : (
          state
        )}
      </span>
      <Found {...{ stored, findings, view }} />
      <Button class="outline secondary slides" aria-expanded={isPhoneOpen} onClick={onTogglePhone}>
        <Icon name="phone" /> Phone
      </Button>
      <Button
        class={isBlocked ? 'outline secondary' : 'primary'}
        // It stays in the order of focus, so that a dialog can give it back.
        aria-disabled={!canPublish && !view.fix}
        {...PUBLISH_KEY}
        onClick={publishOrFix}
      >
        {view.fix
          ? `Fix ${counted(view.errors, 'error')} first`
          : isOutdated
            ? 'Merge…'
            : 'Publish…'}
      </Button>
      {isDiscarding && (
        <Question
          title="Discard the draft?"
          submit="Discard it"
          onSubmit={() => run(stored.restart)}
          onClose={() => setIsDiscarding(false)}
        >
          All changes of this draft are lost. This cannot be undone.
        </Question>
      )}
    </div>
  );
}

/** Counts what is wrong with a draft; if it is opened, each finding leads to where it is solved. */
function Found({ stored, findings, view }: Pick<Props, 'stored' | 'findings' | 'view'>) {
  if (findings.length === 0) return null;
  const summary = (
    <FindingCount findings={findings.length} errors={countFindings(findings).errors} />
  );
  return (
    <Popup class="found" {...{ summary }}>
      <div>
        <p>Customers do not see a field with an error. Warnings can be published.</p>
        <PlacedFindings
          findings={findings}
          content={stored.draft}
          live={stored.draft.from}
          leadTo={(finding) =>
            isSolvedHere(finding) ? () => view.lead(finding.number) : undefined
          }
        />
      </div>
    </Popup>
  );
}

type Action = 'publish' | 'undo' | 'redo';

/** Runs what a key stands for, wherever the focus is. */
function useKeys(actions: Readonly<Record<Action, () => void>>): void {
  // An effect runs a moment after what was typed is drawn, and the key may come before.
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const action = actionOf(event);
      if (!action) return;
      event.preventDefault();
      latest.current[action]();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** A dialog has its own way to publish, and an input undoes its own text. */
function actionOf(event: KeyboardEvent): Action | undefined {
  if (isPublishKey(event)) return document.querySelector('dialog[open]') ? undefined : 'publish';
  const isText = event.target instanceof Element && event.target.matches('input, textarea');
  if (isText || !(event.ctrlKey || event.metaKey)) return undefined;
  const key = event.key.toLowerCase();
  if (key === 'y' || (key === 'z' && event.shiftKey)) return 'redo';
  return key === 'z' ? 'undo' : undefined;
}

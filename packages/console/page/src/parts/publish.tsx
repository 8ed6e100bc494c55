import { useEffect, useState } from 'preact/hooks';
import type { Conflict, Outcome, Review, Rollout } from '../answers.ts';
import { type Answer, clientPath, send } from '../api.ts';
import { type Draft, isChanged, mergedWith } from '../draft.ts';
import { useAnswer } from '../loaded.ts';
import { TEXTS } from '../texts.ts';
import { isPublishKey, PUBLISH_KEY } from '../use-keys.ts';
import {
  Alert,
  Command,
  Dialog,
  FailureText,
  localTime,
  Sentences,
  TextArea,
  TextInput,
  Wait,
} from './basics.tsx';
import { ComparisonView } from './comparison.tsx';
import { ConflictView, Since } from './conflict.tsx';
import { Labeled } from './labeled.tsx';
import { type NewRollout, RolloutStart } from './rollout-start.tsx';

interface Props {
  readonly clientId: string;
  /** The digest of the configuration that the operator has seen. */
  readonly base: string;
  /** What to publish, unless a version is restored or a rollout is finished. */
  readonly draft?: Draft;
  /** The version to restore. */
  readonly restores?: number;
  /** The rollout to finish, with the candidate that the operator has seen. */
  readonly finishes?: Pick<Rollout, 'id'> & Partial<Pick<Rollout, 'digest'>>;
  /** Called once the change is live, or the rollout has started. */
  readonly onPublished?: (isStarted: boolean) => void;
  /** Replaces the draft after a conflict. */
  readonly onResolved?: (draft: Draft) => void;
  readonly onClose: () => void;
}

/** The reasons of changes that are not published, which stay when the dialog is closed. */
const reasons = new Map<string, string>();

function focusReason(form: HTMLFormElement | null): void {
  form?.querySelector('textarea')?.focus();
}

/** Reviews a change with the operator, and publishes it. */
export function PublishDialog(props: Props) {
  const { clientId, base, draft, restores = 0, finishes } = props;
  const { onPublished, onResolved, onClose } = props;
  const texts = draft ? TEXTS.publish : finishes ? TEXTS.finish : TEXTS.restore;
  const finish = finishes && { id: finishes.id, digest: finishes.digest, rollout: 'finish' };
  const other = finish ?? { restores };
  const change = draft ? { fields: draft.fields, language: draft.language } : other;
  const path = clientPath(clientId);
  const [outcome, setOutcome] = useState<Answer<Outcome>>({});
  // Once it is published, the draft starts anew.
  const asked = outcome.value ? undefined : (draft ?? finishes ?? restores);
  const review = useAnswer<Review>(asked, () => send(`${path}/review`, base, { change }));
  /** What others have published, if the draft was merged with it. */
  const [merged, setMerged] = useState<Conflict['since']>();
  const [isBusy, setIsBusy] = useState(false);
  const reasonKey = `${clientId} ${finishes?.id ?? restores}`;
  const [message, setMessage] = useState(reasons.get(reasonKey) ?? '');
  const [confirm, setConfirm] = useState('');
  /** The rollout to start, instead of making the draft live. */
  const [starts, setStarts] = useState<NewRollout>();

  const { conflict } = (outcome.failure?.conflict ? outcome : review).failure ?? {};
  const rest = draft && conflict && mergedWith(draft, conflict.theirs).draft;
  // The change is live already: the answer to its publication was lost.
  const done = rest && !isChanged(rest) ? { hasEffect: false } : outcome.value;
  useEffect(() => {
    if (!done) return;
    reasons.delete(reasonKey);
    onPublished?.(starts !== undefined);
  }, [done !== undefined]);
  const write = (text: string) => {
    reasons.set(reasonKey, text);
    setMessage(text);
  };

  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    const body = { change, message, ...(confirm !== '' && { confirm }), ...(starts && { starts }) };
    setOutcome(await send<Outcome>(`${path}/publish`, base, body));
    setIsBusy(false);
  };
  const resolve = (resolved: Draft) => {
    setOutcome({});
    setMerged(conflict?.since);
    onResolved?.(resolved);
  };

  const content = () => {
    if (done) {
      const text = starts ? TEXTS.rollout.started : (name: string) => texts.done(name, restores);
      return <Done outcome={done} text={text} who={starts && TEXTS.rollout.chosen} />;
    }
    if (conflict) {
      const finished = finishes?.id;
      return <ConflictView {...{ conflict, draft }} finishes={finished} onResolved={resolve} />;
    }
    if (!review.value) return <Wait failure={review.failure} retry={review.reload} />;
    const { hasEffect, refusal, harm, command, start } = review.value;
    if (!hasEffect) return <p>{texts.noEffect}</p>;
    return (
      <>
        {merged && <p role="status">{TEXTS.publish.merged}</p>}
        {merged && <Since>{merged}</Since>}
        {restores > 0 && <p>{TEXTS.restore.scope}</p>}
        <ComparisonView
          comparison={review.value}
          findings={review.value.findings}
          names={[TEXTS.publish.before, texts.after]}
        />
        <Command>{starts && start ? start.command : command}</Command>
        {refusal !== undefined ? (
          <Alert>{refusal}</Alert>
        ) : (
          <footer>
            <form
              onSubmit={submit}
              onKeyDown={(event) => isPublishKey(event) && event.currentTarget.requestSubmit()}
              ref={focusReason}
            >
              {start && <RolloutStart {...start} value={starts} onChange={setStarts} />}
              <Labeled label={TEXTS.publish.message}>
                <TextArea value={message} onInput={write} required />
              </Labeled>
              {harm.length > 0 && (
                <div class="failure">
                  <Sentences>{harm}</Sentences>
                  <Labeled label={TEXTS.publish.confirm(clientId)}>
                    <TextInput value={confirm} onInput={setConfirm} required />
                  </Labeled>
                </div>
              )}
              {outcome.failure && <FailureText failure={outcome.failure} />}
              <p class="actions">
                <button type="submit" disabled={isBusy} {...PUBLISH_KEY}>
                  {starts ? TEXTS.rollout.submit : texts.submit}
                </button>
                <span role="status">{isBusy && TEXTS.publish.busy}</span>
              </p>
            </form>
          </footer>
        )}
      </>
    );
  };
  return (
    <Dialog
      title={conflict && !done ? texts.conflict : texts.title(clientId, restores)}
      onClose={onClose}
    >
      {content()}
    </Dialog>
  );
}

interface DoneProps {
  readonly outcome: Outcome;
  readonly text: (name: string) => string;
  /** Who gets the change, unless all apps do. */
  readonly who?: string | undefined;
}

function Done({ outcome: { hasEffect, version, liveAt }, text, who }: DoneProps) {
  if (!hasEffect) return <p role="status">{TEXTS.publish.nothing}</p>;
  const name = version ? TEXTS.editor.version(version.version) : TEXTS.publish.unrecorded;
  return (
    <p class="done" role="status">
      <strong>{text(name)}</strong>{' '}
      {liveAt !== undefined && TEXTS.publish.liveAt(localTime(new Date(liveAt)), who)}
    </p>
  );
}

import { useEffect, useState } from 'preact/hooks';
import { type Answer, clientPath, send } from '../api.ts';
import { type Draft, isChanged, mergedWith } from '../draft.ts';
import { useAnswer } from '../loaded.ts';
import { TEXTS } from '../texts.ts';
import type { Outcome, Review } from '../types.ts';
import {
  Alert,
  Command,
  Dialog,
  FailureText,
  localTime,
  TextArea,
  TextInput,
  Wait,
} from './basics.tsx';
import { ConflictView, Sentences } from './conflict.tsx';
import { Labeled } from './labeled.tsx';
import { Phone, type Screen, ScreenTabs } from './phone.tsx';

interface Props {
  readonly clientId: string;
  /** The digest of the configuration that the operator has seen. */
  readonly base: string;
  /** What to publish, unless a version is restored. */
  readonly draft?: Draft;
  /** The version to restore. */
  readonly restores?: number;
  /** Called once the change is live. */
  readonly onPublished?: () => void;
  /** Replaces the draft after a conflict. */
  readonly onResolved?: (draft: Draft) => void;
  readonly onClose: () => void;
}

/** Reviews a change with the operator, and publishes it. */
export function PublishDialog(props: Props) {
  const { clientId, base, draft, restores = 0, onPublished, onResolved, onClose } = props;
  const texts = draft ? TEXTS.publish : TEXTS.restore;
  const change = draft ? { fields: draft.fields } : { restores };
  const path = clientPath(clientId);
  const review = useAnswer<Review>(draft ?? restores, () =>
    send(`${path}/review`, base, { change }),
  );
  const [outcome, setOutcome] = useState<Answer<Outcome>>({});
  const [isMerged, setIsMerged] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState('');
  const [confirm, setConfirm] = useState('');

  const { conflict } = (outcome.failure?.conflict ? outcome : review).failure ?? {};
  const merged = draft && conflict && mergedWith(draft, conflict.theirs).draft;
  // The change is live already: the answer to its publication was lost.
  const done = merged && !isChanged(merged) ? { hasEffect: false } : outcome.value;
  useEffect(() => {
    if (done) onPublished?.();
  }, [done !== undefined]);

  const submit = async (event: Event) => {
    event.preventDefault();
    setIsBusy(true);
    const body = { change, message, ...(confirm !== '' && { confirm }) };
    setOutcome(await send<Outcome>(`${path}/publish`, base, body));
    setIsBusy(false);
  };
  const resolve = (resolved: Draft) => {
    setOutcome({});
    setIsMerged(true);
    onResolved?.(resolved);
  };

  const content = () => {
    if (done) return <Done outcome={done} />;
    if (conflict) return <ConflictView {...{ conflict, draft }} onResolved={resolve} />;
    if (!review.value) return <Wait failure={review.failure} retry={review.reload} />;
    const { hasEffect, refusal, dangers, command } = review.value;
    if (!hasEffect) return <p>{texts.noEffect}</p>;
    return (
      <form onSubmit={submit}>
        {isMerged && <p role="status">{TEXTS.publish.merged}</p>}
        <ReviewView review={review.value} />
        {refusal !== undefined ? (
          <Alert>{refusal}</Alert>
        ) : (
          <>
            <Labeled label={TEXTS.publish.message}>
              <TextArea value={message} onInput={setMessage} required />
            </Labeled>
            {dangers.length > 0 && (
              <div class="failure">
                <Sentences>{dangers}</Sentences>
                <Labeled label={TEXTS.publish.confirm(clientId)}>
                  <TextInput value={confirm} onInput={setConfirm} required />
                </Labeled>
              </div>
            )}
            {outcome.failure && <FailureText failure={outcome.failure} />}
            <p class="actions">
              <button type="submit" class="primary" disabled={isBusy}>
                {texts.submit}
              </button>
              <span role="status">{isBusy && TEXTS.publish.busy}</span>
            </p>
          </>
        )}
        <Command>{command}</Command>
      </form>
    );
  };
  return (
    <Dialog title={texts.title(clientId, restores)} onClose={onClose}>
      {content()}
    </Dialog>
  );
}

/** Shows the effects of a change: in words, as two phones, and as lines. */
function ReviewView({ review: { changes, before, after, lines } }: { readonly review: Review }) {
  const [screen, setScreen] = useState<Screen>('register');
  return (
    <>
      <h3>{TEXTS.publish.effects}</h3>
      <Sentences>{changes}</Sentences>
      <ScreenTabs screen={screen} onChange={setScreen} />
      <div class="phones">
        <Phone content={before} screen={screen} title={TEXTS.publish.before} />
        <Phone content={after} screen={screen} title={TEXTS.publish.after} />
      </div>
      <details>
        <summary>{TEXTS.publish.lines}</summary>
        <pre class="lines">
          {lines.map((line, index) => (
            <span key={index} class={{ '+': 'added', '-': 'removed' }[line[0] ?? '']}>
              {`${line}\n`}
            </span>
          ))}
        </pre>
      </details>
    </>
  );
}

function Done({ outcome: { hasEffect, version, liveAt } }: { readonly outcome: Outcome }) {
  if (!hasEffect) return <p role="status">{TEXTS.publish.nothing}</p>;
  const name = version ? TEXTS.editor.version(version.version) : TEXTS.publish.unrecorded;
  return (
    <p class="done" role="status">
      <strong>{TEXTS.publish.done(name)}</strong>{' '}
      {liveAt !== undefined && TEXTS.publish.liveAt(localTime(new Date(liveAt), 'medium'))}
    </p>
  );
}

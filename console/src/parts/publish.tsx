import { useEffect, useState } from 'preact/hooks';
import { attempt, clientPath, Failure, send } from '../api.ts';
import { bodyOf, type Draft, isChanged, mergedWith } from '../draft.ts';
import { TEXTS } from '../texts.ts';
import type { Outcome, Review } from '../types.ts';
import {
  Button,
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
import { Phone, SCREENS } from './phone.tsx';

/** A change of a client's configuration: its draft, or the restoration of a version. */
export type Change =
  | { readonly draft: Draft; readonly base?: never; readonly version?: never }
  | { readonly base: string; readonly version: number; readonly draft?: never };

interface Props {
  readonly clientId: string;
  readonly change: Change;
  /** Called once the change is live, with its outcome. */
  readonly onPublished: () => void;
  /** Replaces the draft after a conflict. */
  readonly onResolved?: (draft: Draft) => void;
  readonly onClose: () => void;
}

/** Reviews a change with the operator, and publishes it. */
export function PublishDialog({ clientId, change, onPublished, onResolved, onClose }: Props) {
  const [isMerged, setIsMerged] = useState(false);
  const [review, setReview] = useState<Review | Failure>();
  const [outcome, setOutcome] = useState<Outcome | Failure>();
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState('');
  const [confirm, setConfirm] = useState('');
  const [count, setCount] = useState(0);

  const base = change.draft ? change.draft.base : change.base;
  const path =
    change.version === undefined
      ? clientPath(clientId)
      : `${clientPath(clientId)}/versions/${change.version}`;
  const content = change.draft ? bodyOf(change.draft) : {};
  useEffect(() => {
    let isCurrent = true;
    setReview(undefined);
    void attempt(() => send<Review>(`${path}/review`, base, content)).then((result) => {
      if (isCurrent) show(result);
    });
    return () => {
      isCurrent = false;
    };
  }, [path, change.draft, count]);

  const end = (result: Outcome) => {
    setOutcome(result);
    onPublished();
  };
  const show = (result: Review | Failure) => {
    setReview(result);
    const { theirs } = (result instanceof Failure && result.conflict) || {};
    const merged = change.draft && theirs && mergedWith(change.draft, theirs).draft;
    // The change is live already: the answer to its publication was lost.
    if (merged && !isChanged(merged)) end({ hasEffect: false });
  };

  const submit = async (event: Event) => {
    event.preventDefault();
    setIsBusy(true);
    const action = change.draft ? 'publish' : 'restore';
    const body = { ...content, message, ...(confirm !== '' && { confirm }) };
    const result = await attempt(() => send<Outcome>(`${path}/${action}`, base, body));
    setIsBusy(false);
    if (!(result instanceof Failure)) end(result);
    else if (result.conflict) show(result);
    else setOutcome(result);
  };
  const resolve = (draft: Draft, isMerge: boolean) => {
    onResolved?.(draft);
    setOutcome(undefined);
    setIsMerged(isMerge);
  };

  const title =
    change.version === undefined
      ? TEXTS.publish.title(clientId)
      : TEXTS.publish.restoreTitle(change.version);
  const isDone = outcome !== undefined && !(outcome instanceof Failure);
  const conflict = review instanceof Failure ? review.conflict : undefined;
  return (
    <Dialog title={title} onClose={onClose}>
      {isDone ? (
        <Done outcome={outcome} />
      ) : conflict ? (
        <ConflictView conflict={conflict} draft={change.draft} onResolved={resolve} />
      ) : review === undefined || review instanceof Failure ? (
        <Wait failure={review} retry={() => setCount(count + 1)} />
      ) : !review.hasEffect ? (
        <p>{change.draft ? TEXTS.publish.noEffect : TEXTS.publish.restoreNoEffect}</p>
      ) : (
        <form onSubmit={submit}>
          {isMerged && <p role="status">{TEXTS.publish.merged}</p>}
          <ReviewView review={review} />
          {review.refusal !== undefined ? (
            <p class="failure" role="alert">
              {review.refusal}
            </p>
          ) : (
            <>
              <Labeled label={TEXTS.publish.message}>
                <TextArea value={message} onInput={setMessage} required />
              </Labeled>
              {review.dangers.length > 0 && (
                <div class="failure">
                  {review.dangers.map((danger) => (
                    <p key={danger}>{danger}</p>
                  ))}
                  <Labeled label={TEXTS.publish.confirm(clientId)}>
                    <TextInput value={confirm} onInput={setConfirm} required />
                  </Labeled>
                </div>
              )}
              {outcome instanceof Failure && <FailureText failure={outcome} />}
              <p class="actions">
                <button type="submit" class="primary" disabled={isBusy}>
                  {change.draft ? TEXTS.publish.submit : TEXTS.publish.restore}
                </button>
                <span role="status">{isBusy && TEXTS.publish.busy}</span>
              </p>
            </>
          )}
          <Command>{review.command}</Command>
        </form>
      )}
    </Dialog>
  );
}

/** Shows the effects of a change: in words, as two phones, and as lines. */
function ReviewView({ review }: { readonly review: Review }) {
  const { changes, before, after, lines } = review;
  return (
    <>
      <h3>{TEXTS.publish.effects}</h3>
      <Sentences>{changes}</Sentences>
      <Phones before={before} after={after} />
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

interface PhonesProps {
  readonly before: Review['before'];
  readonly after: Review['after'];
  readonly titles?: readonly [string, string];
}

/** Two phones side by side, on the screen that the operator chooses. */
export function Phones({ before, after, titles }: PhonesProps) {
  const [screen, setScreen] = useState<(typeof SCREENS)[number]>('register');
  const [now, then] = titles ?? [TEXTS.publish.before, TEXTS.publish.after];
  return (
    <>
      <ScreenTabs screen={screen} onChange={setScreen} />
      <div class="phones">
        <Phone content={before} screen={screen} title={now} />
        <Phone content={after} screen={screen} title={then} />
      </div>
    </>
  );
}

interface ScreenTabsProps {
  readonly screen: (typeof SCREENS)[number];
  readonly onChange: (screen: (typeof SCREENS)[number]) => void;
}

/** Chooses the screen that phones show. */
export function ScreenTabs({ screen, onChange }: ScreenTabsProps) {
  return (
    <fieldset class="actions" aria-label={TEXTS.phone.screen}>
      {SCREENS.map((one) => (
        <Button
          key={one}
          class={one === screen ? '' : 'outline'}
          aria-pressed={one === screen}
          onClick={() => onChange(one)}
        >
          {TEXTS.editor.screens[one]}
        </Button>
      ))}
    </fieldset>
  );
}

function Done({ outcome }: { readonly outcome: Outcome }) {
  const { hasEffect, version, liveAt } = outcome;
  if (!hasEffect) return <p role="status">{TEXTS.publish.nothing}</p>;
  const name = version ? TEXTS.editor.version(version.version) : TEXTS.publish.unrecorded;
  return (
    <p class="done" role="status">
      <strong>{TEXTS.publish.done(name)}</strong>{' '}
      {liveAt !== undefined && TEXTS.publish.liveAt(localTime(new Date(liveAt), 'medium'))}
    </p>
  );
}

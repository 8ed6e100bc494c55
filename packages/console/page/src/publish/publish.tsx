import { languageName } from 'customer-data-api/configuration';
import { say } from 'customer-data-api/sentences';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ClientRollout, Conflict, Outcome, ReviewAnswer } from '../answers.ts';
import { type Answer, clientPath, isByThisPage, publish, send, useAnswer } from '../api.ts';
import { type EditedDraft, isChanged, mergedWith } from '../draft/draft.ts';
import { emptyLanguages } from '../draft/languages.ts';
import { isPublishKey, PUBLISH_KEY } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Alert, FailureText, Wait } from '../parts/failure.tsx';
import { Icon } from '../parts/icons.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { Effects, Sentence, Sentences } from '../parts/sentences.tsx';
import { TextArea, TextInput } from '../parts/text-input.tsx';
import { latestTime } from '../parts/time-text.tsx';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { ComparisonView } from './comparison.tsx';
import { ConflictView, Since } from './conflict.tsx';
import { kindOf, type RolloutInput, RolloutStart } from './rollout-start.tsx';

interface Props {
  readonly clientId: string;
  /** The digest of the configuration that the operator has seen. */
  readonly base: string;
  /** The draft to publish, unless a version is restored or a rollout is finished. */
  readonly draft?: EditedDraft;
  /** The version to restore. */
  readonly restores?: number;
  /** The rollout that runs beside what the operator has seen. */
  readonly running?: ClientRollout | undefined;
  /** The change of its candidate: it is merged with what is live, and may go to all devices. */
  readonly merges?: 'finish' | 'merge' | undefined;
  /** Called once the change is live, or the rollout has started. */
  readonly onPublished?: (isStarted: boolean, outcome: Partial<Outcome>) => void;
  /** Replaces the draft after a conflict. */
  readonly onResolved?: (draft: EditedDraft) => void;
  readonly onClose: () => void;
}

const PUBLISH = {
  title: (clientId: string) => say`Publish the configuration of ${clientId}`,
  conflict: 'Merge with what somebody else has published',
  noEffect: 'This draft is what is live. There is nothing to publish.',
  submit: 'Publish',
  before: 'Now',
  after: 'After publishing',
  done: () => 'Published',
};
const RESTORE = {
  title: (clientId: string, version: number) => say`Restore version ${version} of ${clientId}`,
  conflict: 'Somebody else has published',
  noEffect: 'This version is what is live. There is nothing to restore.',
  submit: 'Restore',
  before: 'Now',
  after: 'After restoring',
  done: (old: number) => `Version ${old} is restored. It is live as`,
};
const FINISH = {
  title: (clientId: string) => say`Give the candidate of ${clientId} to all devices`,
  conflict: 'What is live was changed during the rollout',
  noEffect: 'All devices have it.',
  submit: 'Give it to all devices',
  before: 'Devices without it now',
  after: 'All devices then',
  done: () => 'All devices get the candidate. It is live as',
};
const MERGE = {
  title: (clientId: string) => say`Merge the candidate of ${clientId} with what is live`,
  conflict: 'What is live was changed beside the candidate',
  noEffect: 'The candidate has it.',
  submit: 'Merge',
  before: 'What is live',
  after: 'The candidate then',
  done: () => 'The same devices get both, as',
};

/** The reasons of changes that are not published, which stay when the dialog is closed. */
const reasons = new Map<string, string>();

/** The id of the form whose inputs are also above it. */
const FORM = 'publication';

/** Reviews a change with the operator, and publishes it. */
export function PublishDialog(props: Props) {
  const { clientId, base, draft, restores = 0, running, merges } = props;
  const { onPublished, onResolved, onClose } = props;
  const texts = draft ? PUBLISH : merges ? { finish: FINISH, merge: MERGE }[merges] : RESTORE;
  const other = merges && running ? mergeOf(running, merges) : { restores };
  const { fields, language, undoes } = draft ?? {};
  const requested = draft ? { fields, language, ...(undoes && { undoes }) } : other;
  const path = clientPath(clientId);
  const [outcome, setOutcome] = useState<Answer<Outcome>>({});
  // Once it is published, the draft starts anew.
  const asked = outcome.value ? undefined : (draft ?? merges ?? restores);
  const review = useAnswer<ReviewAnswer>(asked, () =>
    send(`${path}/review`, base, { draft: requested }),
  );
  /** The review of what was published. */
  const reviewed = useRef(review.value);
  reviewed.current = review.value ?? reviewed.current;
  /** The changes of others with which the draft was merged. */
  const [merged, setMerged] = useState<Conflict['since']>();
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('textarea[required]')?.focus();
  }, [review.value]);
  const reasonKey = `${clientId} ${merges ?? restores}`;
  const [message, setMessage] = useState(reasons.get(reasonKey) ?? '');
  const [confirm, setConfirm] = useState('');
  /** The rollout to start, instead of making the draft live. */
  const [starts, setStarts] = useState<RolloutInput>();

  const { conflict } = (outcome.failure?.conflict ? outcome : review).failure ?? {};
  // A draft that was live is no rest of a merge: somebody may have undone it.
  const isMergeable = draft && conflict && !conflict.version;
  const rest = isMergeable && mergedWith(draft, conflict.theirs).draft;
  // The change is live already: the answer to its publication was lost.
  const since = conflict?.since ?? [];
  const own = since.filter(({ version }) => isByThisPage(version)).at(-1);
  const wasPublished = rest && !isChanged(rest);
  const done = wasPublished ? { hasEffect: own !== undefined, ...own } : outcome.value;
  const isOnlyOwn = since.length > 0 && since.every(({ version }) => isByThisPage(version));
  // An effect would be lost with a dialog that is closed before its next paint.
  useLayoutEffect(() => {
    if (!done) return;
    reasons.delete(reasonKey);
    onPublished?.(starts !== undefined, done);
  }, [done !== undefined]);
  const empty = draft ? emptyLanguages(draft, draft.added).map(languageName) : [];
  const write = (text: string) => {
    reasons.set(reasonKey, text);
    setMessage(text);
  };

  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    // Why an earlier attempt failed says nothing of this one.
    setOutcome({});
    const shown = running && { replaces: running.state };
    const started = starts && { starts: { ...starts, ...shown } };
    const body = { draft: requested, message, ...(confirm !== '' && { confirm }), ...started };
    setOutcome(await publish(`${path}/publish`, base, body));
    setIsBusy(false);
  };
  const resolve = (next: EditedDraft, isMerged: boolean) => {
    setOutcome({});
    setMerged(isMerged ? conflict?.since : undefined);
    onResolved?.(next);
  };

  const content = () => {
    if (done) {
      const isForSome = starts !== undefined || merges === 'merge';
      const effects = reviewed.current?.effects;
      return <Done outcome={done} {...{ clientId, effects, isForSome, onClose }} />;
    }
    if (conflict) {
      const asked = { clientId, conflict, draft, isOfCandidate: merges !== undefined };
      return <ConflictView {...asked} onResolved={resolve} />;
    }
    if (!review.value) return <Wait failure={review.failure} retry={review.reload} />;
    const { hasEffect, refusal, harm } = review.value;
    if (!hasEffect) return <p>{texts.noEffect}</p>;
    const isRefused = refusal !== undefined;
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: its controls are what has the focus.
      <div
        class="review"
        onKeyDown={(event) => isPublishKey(event) && form.current?.requestSubmit()}
      >
        {merged && (
          <p role="status">
            Merged. Their change is live; yours is not until you publish. What others published:
          </p>
        )}
        {merged && <Since>{merged}</Since>}
        {restores > 0 && (
          <p>
            Only fields and their languages are restored. App-Ids and app clients stay as they are
            now.
          </p>
        )}
        {harm.length > 0 && !isRefused && (
          <div class="failure">
            <Effects>{harm}</Effects>
            <Labeled label={<Sentence>{TEXTS.confirm(clientId)}</Sentence>}>
              <TextInput form={FORM} value={confirm} onInput={setConfirm} required />
            </Labeled>
          </div>
        )}
        <ComparisonView
          comparison={review.value}
          findings={review.value.findings}
          names={[texts.before, texts.after]}
        >
          {empty.length > 0 && (
            <p class="notice">{`Without a text yet, so not published: ${empty.join(', ')}.`}</p>
          )}
        </ComparisonView>
        <footer>
          {isRefused ? (
            <Alert>
              <Sentences>{refusal}</Sentences>
            </Alert>
          ) : (
            // The phones above have inputs, too, which are no part of it.
            <form id={FORM} onSubmit={submit} ref={form}>
              {draft && <RolloutStart value={starts} {...{ running }} onChange={setStarts} />}
              <Labeled label={TEXTS.reason}>
                <TextArea value={message} onInput={write} required />
              </Labeled>
              {outcome.failure && <FailureText failure={outcome.failure} />}
              <p class="actions">
                <button type="submit" disabled={isBusy} {...PUBLISH_KEY}>
                  {starts ? `Start the ${kindOf(starts)}` : texts.submit}
                </button>
                <span role="status">{isBusy && 'Publishing…'}</span>
              </p>
            </form>
          )}
        </footer>
      </div>
    );
  };
  const name = done?.version
    ? `version ${done.version.version}`
    : 'a version that is not recorded yet';
  const started = starts ? `The ${kindOf(starts)} has started as` : texts.done(restores);
  const doneTitle = done?.hasEffect ? `${started} ${name}` : undefined;
  const conflictTitle = isOnlyOwn ? 'Merge with what you have published' : texts.conflict;
  return (
    <Dialog
      title={doneTitle ?? (conflict && !done ? conflictTitle : texts.title(clientId, restores))}
      onClose={onClose}
    >
      {content()}
    </Dialog>
  );
}

/** Returns the change of a rollout that the operator has seen. */
function mergeOf({ id, digest, percent }: ClientRollout, merges: 'finish' | 'merge') {
  if (merges === 'finish') return { id, digest, rollout: merges };
  return { id, digest, rollout: `${percent}`, merges: true };
}

interface DoneProps {
  readonly clientId: string;
  readonly outcome: Partial<Outcome>;
  /** Unknown if the answer was lost. */
  readonly effects: ReviewAnswer['effects'] | undefined;
  /** True if only the chosen devices get it. */
  readonly isForSome: boolean;
  readonly onClose: () => void;
}

/** Says what is live, for whom and from when, and leads on. */
function Done({ clientId, outcome, effects, isForSome, onClose }: DoneProps) {
  const { hasEffect, version: { version } = {}, liveAt } = outcome;
  if (!hasEffect) return <p role="status">This was live already: nothing was published.</p>;
  return (
    <>
      <p class="done" role="status">
        <Icon name="done" />{' '}
        {liveAt !== undefined &&
          `${isForSome ? 'The chosen devices' : 'All apps'} get it with their next request, from ${latestTime(liveAt)} at the latest.`}
      </p>
      {effects && <Effects>{effects}</Effects>}
      <p class="actions">
        <button type="button" onClick={onClose}>
          Done
        </button>
        {version !== undefined && (
          <a href={clientHref(clientId, 'history')} onClick={onClose}>
            {TEXTS.version(version)}
          </a>
        )}
        {version !== undefined && version > 1 && !isForSome && (
          <a href={clientHref(clientId, 'configuration', { undo: `${version}` })} onClick={onClose}>
            Undo…
          </a>
        )}
      </p>
    </>
  );
}

import { counted, isPreview } from 'customer-data-api/configuration';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type {
  CandidateDraft,
  Client,
  Deployment,
  DraftContent,
  ListedVersion,
  UndoDraft,
} from '../answers.ts';
import { clientPath, read, useLoaded } from '../api.ts';
import { asMap, checkDraft } from '../draft/draft.ts';
import { useDraft } from '../draft/use-draft.ts';
import { isOfAccess } from '../findings/finding-text.ts';
import { ItemFindings } from '../findings/findings.tsx';
import { Button } from '../parts/button.tsx';
import { Alert, FailureText, Wait } from '../parts/failure.tsx';
import { Icon } from '../parts/icons.tsx';
import { Phone, SCREENS, type Screen, ScreenTabs } from '../parts/phone.tsx';
import { Time } from '../parts/time-text.tsx';
import { PublishDialog } from '../publish/publish.tsx';
import { clientHref } from '../route.ts';
import { authorOf, SCREEN_NAMES, TEXTS } from '../texts.ts';
import { FieldList } from './field-list.tsx';
import { placed } from './field-part.ts';
import { Languages } from './languages.tsx';
import { RolloutBox } from './rollout-box.tsx';
import { Toolbar } from './toolbar.tsx';
import { UndoDialog } from './undo-dialog.tsx';
import { isSolvedHere, useView, type View, worstOf } from './use-view.ts';

interface Props {
  readonly deployment: Deployment;
  readonly clientId: string;
  /**
   * `candidate` has the version whose candidate is opened as a draft, `undo` one that is undone;
   * `fix` leads to a finding.
   */
  readonly query: URLSearchParams;
}

/** Edits the configuration of a client beside a phone that shows it, and publishes it. */
export function EditorScreen({ deployment, clientId, query }: Props) {
  const { value, failure, reload } = useLoaded<Client>(clientPath(clientId));
  if (!value) return <Wait failure={failure} retry={reload} />;
  const opens = query.get('candidate') ?? '';
  const undoes = query.get('undo') ?? '';
  const fixes = query.has('fix');
  const asked = { opens, undoes, fixes };
  return <Editor deploymentId={deployment.id} client={value} {...{ ...asked, reload }} />;
}

interface EditorProps {
  readonly deploymentId: string;
  readonly client: Client;
  /** The version whose candidate is opened as a draft; empty for none. */
  readonly opens: string;
  /** The version to undo; empty for none. */
  readonly undoes: string;
  /** Leads to the first finding. */
  readonly fixes: boolean;
  /** Reads the client again. */
  readonly reload: () => void;
}

function Editor({ deploymentId, client, opens, undoes, fixes, reload }: EditorProps) {
  const stored = useDraft(deploymentId, client);
  const { draft } = stored;
  const checked = useMemo(() => checkDraft(draft, client), [draft, client]);
  const ofLanguage = placed(checked.findings, 'language');
  const view = useView(stored, checked.findings);
  const [isPublishing, setIsPublishing] = useState(false);
  /** True while the phone is over the form, in a narrow window. */
  const [isPhoneOpen, setIsPhoneOpen] = useState(false);
  const [isOvertaken, setIsOvertaken] = useState(false);
  /** True while the operator is asked about the rollout. */
  const [isAsked, setIsAsked] = useState(false);
  useNews(isPublishing || isAsked ? undefined : client, (isOther) => {
    setIsOvertaken(isOther);
    reload();
  });
  useEffect(() => {
    const worst = worstOf(checked.findings.filter(isSolvedHere));
    if (fixes && worst) view.lead(worst.number);
  }, [fixes]);
  const openedAs = (version: string, part: string) =>
    version && `${clientPath(client.clientId)}/versions/${encodeURIComponent(version)}/${part}`;
  const candidate = useLoaded<CandidateDraft>(openedAs(opens, 'candidate') || undefined);
  const undo = useLoaded<UndoDraft>(openedAs(undoes, 'undo') || undefined);
  useEffect(() => {
    if (!candidate.value) return;
    stored.replace(
      candidate.value,
      `Opened the candidate of version ${opens}. Undo brings the draft before it back.`,
    );
    location.replace(clientHref(client.clientId));
  }, [candidate.value]);
  const isOutdated = stored.isChanged && draft.from.base !== client.base;
  /** Reads the client after a change by this operator. */
  const reloadOwn = () => {
    setIsOvertaken(false);
    reload();
  };

  return (
    <>
      {candidate.failure && <FailureText failure={candidate.failure} />}
      {undo.failure && <FailureText failure={undo.failure} />}
      {undo.value && (
        <UndoDialog
          {...{ client, stored }}
          undo={undo.value}
          onClose={() => location.replace(clientHref(client.clientId))}
        />
      )}
      <Live client={client} />
      <RolloutBox client={client} reload={reloadOwn} onAsk={setIsAsked} />
      <Toolbar
        {...{ stored, view, isOutdated }}
        isBlocked={client.rollout !== undefined && !isPreview(client.rollout)}
        findings={checked.findings}
        news={
          isOvertaken && !stored.isChanged
            ? 'Somebody else has just published. This page shows what is live now.'
            : ''
        }
        onPublish={() => setIsPublishing(true)}
        isPhoneOpen={isPhoneOpen}
        onTogglePhone={() => setIsPhoneOpen(!isPhoneOpen)}
      />
      {/* Below the bar, whose buttons stay where a hand is just going to press them. */}
      {isOutdated && (
        <p class="notice">Somebody else has published since you began. Merge both changes first.</p>
      )}
      <div class="editor">
        <div>
          {(draft.fields.length > 0 || ofLanguage.length > 0) && (
            <Languages {...{ client, stored, view }} findings={ofLanguage} />
          )}
          <FieldList {...{ client, stored, view }} findings={checked.findings} />
        </div>
        <SidePhone
          {...{ view, content: checked }}
          candidate={client.rollout?.candidate}
          isOpen={isPhoneOpen}
          onClose={() => setIsPhoneOpen(false)}
        />
      </div>
      {isPublishing && (
        <PublishDialog
          {...{ clientId: client.clientId, base: draft.from.base, draft, running: client.rollout }}
          onPublished={(isStarted, { previewed }) => {
            // The draft is the candidate now, and what is live stays.
            if (previewed) stored.preview(previewed);
            else if (isStarted) stored.startRollout();
            else stored.finish();
            reloadOwn();
          }}
          onResolved={(resolved) => {
            stored.replace(resolved);
            reload();
          }}
          onClose={() => setIsPublishing(false)}
        />
      )}
    </>
  );
}

interface SidePhoneProps {
  readonly view: View;
  /** The draft as it would be published. */
  readonly content: ReturnType<typeof checkDraft>;
  /** The candidate of a rollout, which a part of the devices gets. */
  readonly candidate: DraftContent | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The phone beside the fields, in the language and at the field that the operator looks at. */
function SidePhone(props: SidePhoneProps) {
  const { view, content, candidate, isOpen, onClose } = props;
  const [isCandidate, setIsCandidate] = useState(false);
  const [screen, setScreen] = useState<Screen>('register');
  const { language } = view;
  const { id, appUIs } = asMap(content.fields[view.open]);
  const shownAt = SCREENS.filter((one) => Array.isArray(appUIs) && appUIs.includes(one));
  // The phone follows the field that is edited, also when it moves to the other screen.
  useEffect(() => {
    const [first = screen] = shownAt;
    if (!shownAt.includes(screen)) setScreen(first);
  }, [id, shownAt.join()]);
  // In a narrow window, the phone is above what is edited.
  useEffect(() => {
    if (isOpen) document.querySelector('.form')?.scrollIntoView();
  }, [isOpen]);
  return (
    <aside
      class={isOpen ? 'open' : ''}
      aria-label="What customers see"
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <Button class="outline secondary closes" onClick={onClose}>
        <Icon name="close" /> Close the phone
      </Button>
      <ScreenTabs screen={screen} onChange={setScreen}>
        {candidate && (
          <Button
            class="outline secondary apart"
            aria-pressed={isCandidate}
            onClick={() => setIsCandidate(!isCandidate)}
          >
            Candidate
          </Button>
        )}
      </ScreenTabs>
      <Phone
        {...{ content: (isCandidate && candidate) || content, screen, language }}
        edited={id}
      />
    </aside>
  );
}

/** Says what is live, what is wrong beside its fields, and whether the operator may change it. */
function Live({ client }: { readonly client: Client }) {
  const { live, errors, ofItem, refusal } = client;
  return (
    <>
      <p class="quiet">
        {live
          ? [`Live: the fields of version ${live.version}, `, ...factsOf(live)]
          : 'Live: set up by hand; author and reason are unknown'}
      </p>
      {errors > 0 && (
        <p class="failure">{`What is live has ${counted(errors, 'error')}: customers do not see fields with errors.`}</p>
      )}
      <ItemFindings findings={ofItem} />
      {ofItem.some(isOfAccess) && (
        <p>
          <a href={clientHref(client.clientId, 'access')}>{SCREEN_NAMES.access}</a>
        </p>
      )}
      {refusal !== undefined && <Alert>{`You may not publish. ${refusal}`}</Alert>}
    </>
  );
}

function factsOf(live: ListedVersion): ComponentChildren[] {
  if (live.isStartUnknown) return [TEXTS.startUnknown];
  const by = live.source === 'manualEdit' ? '' : 'by ';
  return ['since ', <Time at={live.at} />, `, ${by}`, <bdi>{authorOf(live)}</bdi>];
}

/**
 * The interval at which a visible page asks what is live: one read, or more if it is not recorded.
 */
const POLL_MS = { recorded: 5000, unrecorded: 30_000 };

/** Asks regularly, while the page is visible, whether somebody else has published. */
function useNews(client: Client | undefined, onNews: (isOther: boolean) => void): void {
  useEffect(() => {
    if (!client) return;
    const { clientId, state, live } = client;
    const over = new AbortController();
    const ask = async () => {
      if (document.hidden) return;
      // What is not recorded yet has no author yet.
      const known = live ? state : '';
      const { value } = await read<Client>(clientPath(clientId), over.signal, known);
      const isNews = value && (value.state !== state || value.live);
      if (isNews) onNews(value.base !== client.base);
    };
    const timer = setInterval(ask, POLL_MS[live ? 'recorded' : 'unrecorded']);
    addEventListener('focus', ask, over);
    return () => {
      clearInterval(timer);
      over.abort();
    };
  }, [client]);
}

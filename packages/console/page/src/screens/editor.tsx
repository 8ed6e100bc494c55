import { useEffect, useMemo, useState } from 'preact/hooks';
import type { CandidateDraft, Client, Content, Deployment, ListedVersion } from '../answers.ts';
import { clientPath } from '../api.ts';
import { asMap, checkDraft } from '../draft.ts';
import { useLoaded } from '../loaded.ts';
import {
  Alert,
  authorOf,
  Button,
  Command,
  FailureText,
  localTime,
  Wait,
} from '../parts/basics.tsx';
import { FieldList } from '../parts/field-list.tsx';
import { Languages } from '../parts/languages.tsx';
import { placed } from '../parts/part.ts';
import { LanguageChoice, Phone, type Screen, ScreenTabs } from '../parts/phone.tsx';
import { PublishDialog } from '../parts/publish.tsx';
import { RolloutBox } from '../parts/rollout-box.tsx';
import { Sources } from '../parts/sources.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { type StoredDraft, useDraft } from '../use-draft.ts';
import { useNews } from '../use-news.ts';
import { isSolvedHere, useView, type View, worstOf } from '../use-view.ts';

interface Props {
  readonly deployment: Deployment;
  readonly clientId: string;
  /** `candidate` has the version whose candidate is opened as a draft; `fix` leads to a finding. */
  readonly query: URLSearchParams;
}

/** Edits the configuration of a client beside a phone that shows it, and publishes it. */
export function EditorScreen({ deployment, clientId, query }: Props) {
  const { value, failure, reload } = useLoaded<Client>(clientPath(clientId));
  if (!value) return <Wait failure={failure} retry={reload} />;
  const opens = query.get('candidate') ?? '';
  const fixes = query.has('fix');
  return <Editor deploymentId={deployment.id} client={value} {...{ opens, fixes, reload }} />;
}

interface EditorProps {
  readonly deploymentId: string;
  readonly client: Client;
  /** The version whose candidate is opened as a draft; empty for none. */
  readonly opens: string;
  /** Leads to the first finding. */
  readonly fixes: boolean;
  /** Reads the client again. */
  readonly reload: () => void;
}

function Editor({ deploymentId, client, opens, fixes, reload }: EditorProps) {
  const stored = useDraft(deploymentId, client);
  const { draft } = stored;
  const checked = useMemo(() => checkDraft(draft, client), [draft, client]);
  const view = useView(stored, checked.findings);
  const [isPublishing, setIsPublishing] = useState(false);
  const [isOvertaken, setIsOvertaken] = useState(false);
  useNews(isPublishing ? undefined : client, (isOther) => {
    setIsOvertaken(isOther);
    reload();
  });
  useEffect(() => {
    const worst = worstOf(checked.findings.filter(isSolvedHere));
    if (fixes && worst) view.lead(worst.number);
  }, [fixes]);
  const candidate = useLoaded<CandidateDraft>(
    opens === ''
      ? undefined
      : `${clientPath(client.clientId)}/versions/${encodeURIComponent(opens)}/candidate`,
  );
  useEffect(() => {
    if (!candidate.value) return;
    stored.replace(candidate.value, TEXTS.history.openedCandidate(opens));
    location.replace(clientHref(client.clientId));
  }, [candidate.value]);
  const isOutdated = stored.isChanged && draft.base !== client.base;

  return (
    <>
      {candidate.failure && <FailureText failure={candidate.failure} />}
      <Live client={client} />
      <RolloutBox {...{ client, reload }} />
      {isOutdated && <p class="failure">{TEXTS.editor.outdated}</p>}
      <Toolbar
        {...{ stored, view, isOutdated }}
        findings={checked.findings}
        news={isOvertaken && !stored.isChanged && TEXTS.editor.overtaken}
        onPublish={() => setIsPublishing(true)}
      />
      <div class="editor">
        <div>
          <FieldList {...{ stored, view }} findings={checked.findings} />
          <Sources {...{ client, stored }} />
          {draft.fields.length > 0 && (
            <Languages
              {...{ client, stored, languages: view.languages }}
              findings={placed(checked.findings, 'language')}
              onChoose={view.choose}
            />
          )}
        </div>
        <Preview {...{ stored, view, content: checked }} candidate={client.rollout?.candidate} />
      </div>
      <Command>{client.commands.publish}</Command>
      {isPublishing && (
        <PublishDialog
          {...{ clientId: client.clientId, base: draft.base, draft }}
          onPublished={(isStarted) => {
            setIsOvertaken(false);
            // The draft is the candidate now, and what is live stays.
            if (isStarted) stored.restart();
            else stored.finish();
            reload();
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

interface PreviewProps {
  readonly stored: StoredDraft;
  readonly view: View;
  /** The draft as it would be published. */
  readonly content: ReturnType<typeof checkDraft>;
  /** What a rollout gives to a part of the devices. */
  readonly candidate: Content | undefined;
}

/** The phone beside the fields, in the language and at the field that the operator looks at. */
function Preview({ stored: { draft }, view, content, candidate }: PreviewProps) {
  const [isCandidate, setIsCandidate] = useState(false);
  const [screen, setScreen] = useState<Screen>('register');
  const { language, languages } = view;
  return (
    <aside aria-label={TEXTS.phone.title}>
      <ScreenTabs screen={screen} onChange={setScreen}>
        <LanguageChoice
          {...{ own: draft.language, translated: languages, language }}
          onChange={view.choose}
        />
        {candidate && (
          <Button aria-pressed={isCandidate} onClick={() => setIsCandidate(!isCandidate)}>
            {TEXTS.rollout.candidate}
          </Button>
        )}
      </ScreenTabs>
      <Phone
        {...{ content: (isCandidate && candidate) || content, screen, language }}
        edited={[asMap(content.fields[view.open]).id]}
      />
    </aside>
  );
}

/** Says what is live, what is wrong beside its fields, and whether the operator may change it. */
function Live({ client }: { readonly client: Client }) {
  const { live, unknown, isLockedOut, refusal } = client;
  return (
    <>
      <p class="quiet">
        {live ? TEXTS.editor.live(live.version, factsOf(live)) : TEXTS.editor.notRecorded}
      </p>
      {isLockedOut && (
        <p class="failure">
          {TEXTS.editor.lockedOut}{' '}
          <a href={clientHref(client.clientId, 'access')}>{TEXTS.nav.access}</a>
        </p>
      )}
      {unknown.length > 0 && <p class="quiet">{TEXTS.editor.unknown(unknown.join(', '))}</p>}
      {refusal !== undefined && <Alert>{TEXTS.editor.mayNotPublish(refusal)}</Alert>}
    </>
  );
}

function factsOf(live: ListedVersion): string[] {
  if (live.isStartUnknown) return [TEXTS.history.startUnknown];
  const by = live.source === 'manualEdit' ? TEXTS.manualEdit : TEXTS.history.by(authorOf(live));
  return [TEXTS.editor.since(localTime(new Date(live.at))), by];
}

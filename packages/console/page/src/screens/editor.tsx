import { countFindings, type Finding } from 'customer-data-api/configuration';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { clientPath, read } from '../api.ts';
import { asMap, checkDraft, type Draft, KINDS, type Kind, newField } from '../draft.ts';
import { missingTexts, translatedLanguages } from '../languages.ts';
import { useLoaded } from '../loaded.ts';
import {
  Alert,
  authorOf,
  Button,
  Command,
  FindingCount,
  localTime,
  Wait,
} from '../parts/basics.tsx';
import { FieldForm } from '../parts/field-form.tsx';
import { Languages } from '../parts/languages.tsx';
import { placed } from '../parts/part.ts';
import { LanguageChoice, Phone, type Screen, ScreenTabs } from '../parts/phone.tsx';
import { PublishDialog } from '../parts/publish.tsx';
import { TEXTS } from '../texts.ts';
import type { Client, Deployment, ListedVersion } from '../types.ts';
import { type StoredDraft, useDraft } from '../use-draft.ts';

/** How often a page that is visible asks what is live: one read, or more if it is not recorded. */
const POLL_MS = { recorded: 5000, unrecorded: 30_000 };

interface Props {
  readonly deployment: Deployment;
  readonly clientId: string;
}

/** Edits the configuration of a client beside a phone that shows it, and publishes it. */
export function EditorScreen({ deployment, clientId }: Props) {
  const { value, failure, reload } = useLoaded<Client>(clientPath(clientId));
  if (!value) return <Wait failure={failure} retry={reload} />;
  return <Editor deploymentId={deployment.id} client={value} reload={reload} />;
}

interface EditorProps {
  readonly deploymentId: string;
  readonly client: Client;
  /** Reads the client again. */
  readonly reload: () => void;
}

function Editor({ deploymentId, client, reload }: EditorProps) {
  const stored = useDraft(deploymentId, client);
  const { draft } = stored;
  const [open, setOpen] = useState(-1);
  const [screen, setScreen] = useState<Screen>('register');
  const [language, setLanguage] = useState('');
  const [isPublishing, setIsPublishing] = useState(false);
  const [isOvertaken, setIsOvertaken] = useState(false);
  const checked = useMemo(() => checkDraft(draft, client), [draft, client]);
  const keys = keysOf(draft.fields);
  // A new language has no texts yet.
  const languages = [...new Set([...translatedLanguages(draft), language])].filter(Boolean);
  useUndoKeys(
    () => keepOpen(stored.undo()),
    () => keepOpen(stored.redo()),
  );
  useNews(isPublishing ? undefined : client, (isOther) => {
    setIsOvertaken(isOther);
    reload();
  });

  /** Keeps the form of the same field open after a step that can move it. */
  const keepOpen = (fields: readonly unknown[]) => {
    const { id } = asMap(draft.fields[open]);
    const isThere = id === undefined && fields.length === draft.fields.length;
    setOpen(isThere ? open : fields.findIndex((field) => id && asMap(field).id === id));
  };
  const add = (kind: Kind) => {
    stored.edit([...draft.fields, newField(kind)], '');
    setOpen(draft.fields.length);
  };
  const discard = () => {
    if (globalThis.confirm(TEXTS.editor.discardQuestion)) return stored.restart();
    return draft.fields;
  };
  const resolve = (resolved: Draft) => {
    stored.replace(resolved);
    reload();
  };
  const buttons = [
    ['undo', stored.canUndo, stored.undo],
    ['redo', stored.canRedo, stored.redo],
    ['discard', stored.isChanged, discard],
  ] as const;
  const { unchanged, overtaken, stored: kept, notStored } = TEXTS.editor;
  const state = stored.isChanged ? (stored.isStored ? kept : notStored) : unchanged;
  const news = stored.notice || (isOvertaken && !stored.isChanged && overtaken);
  const isOutdated = stored.isChanged && draft.base !== client.base;
  const errors = checked.findings.filter(({ severity }) => severity === 'error');
  const broken = draft.fields.findIndex((_, index) => findingsOf(errors, index).length > 0);
  const ofLanguage = placed(checked.findings, 'language');
  const isBroken = broken !== -1 || placed(errors, 'language').length > 0;
  const fix = () => {
    setOpen(broken);
    focusOn(FIRST_ERROR);
  };
  const choose = (chosen: string, field?: number, at?: number) => {
    setLanguage(chosen);
    if (field === undefined) return;
    setOpen(field);
    focusOn('.missing input', at);
  };
  const missing = language === '' ? [] : missingTexts(draft.fields, language);
  const next = (missing.find(({ index }) => index > open) ?? missing[0])?.index;
  const onNext = next === undefined ? undefined : () => choose(language, next);

  return (
    <>
      <Live client={client} />
      {isOutdated && <p class="failure">{TEXTS.editor.outdated}</p>}
      <div class="toolbar">
        {buttons.map(([name, isEnabled, run]) => (
          <Button
            key={name}
            aria-disabled={!isEnabled}
            onClick={() => isEnabled && keepOpen(run())}
          >
            {TEXTS.editor[name]}
          </Button>
        ))}
        <span role="status">{news ? <strong>{news}</strong> : state}</span>
        <FindingCount problems={checked.findings.length} errors={errors.length} />
        <Button
          class="primary"
          // It stays in the order of focus, so that a dialog can give it back.
          aria-disabled={!stored.isChanged && !isBroken}
          onClick={() => {
            if (isBroken) fix();
            else if (stored.isChanged) setIsPublishing(true);
          }}
        >
          {isBroken
            ? TEXTS.editor.fixFirst(errors.length)
            : TEXTS.editor[isOutdated ? 'merge' : 'publish']}
        </Button>
      </div>
      <div class="editor">
        <div>
          {draft.fields.length === 0 && <p class="quiet">{TEXTS.editor.noFields}</p>}
          <ol class="plain">
            {draft.fields.map((field, index) => (
              <FieldRow
                key={keys[index]}
                {...{ field, index, stored, open, setOpen, onNext }}
                languages={language === '' ? languages : [language]}
                findings={findingsOf(checked.findings, index)}
              />
            ))}
          </ol>
          <fieldset class="actions" aria-label={TEXTS.editor.add}>
            <span>{TEXTS.editor.add}:</span>
            {KINDS.map((kind) => (
              <Button key={kind} onClick={() => add(kind)}>
                {TEXTS.field.kinds[kind]}
              </Button>
            ))}
          </fieldset>
          {draft.fields.length > 0 && (
            <Languages
              {...{ clientId: client.clientId, stored, languages }}
              findings={ofLanguage}
              onChoose={choose}
            />
          )}
        </div>
        <aside aria-label={TEXTS.phone.title}>
          <ScreenTabs screen={screen} onChange={setScreen}>
            <LanguageChoice
              own={draft.language}
              translated={languages}
              language={language}
              onChange={setLanguage}
            />
          </ScreenTabs>
          <Phone
            {...{ content: checked, screen, language }}
            edited={[asMap(checked.fields[open]).id]}
          />
        </aside>
      </div>
      <Command>{client.command}</Command>
      {isPublishing && (
        <PublishDialog
          {...{ clientId: client.clientId, base: draft.base, draft }}
          onPublished={() => {
            setIsOvertaken(false);
            stored.finish();
            reload();
          }}
          onResolved={resolve}
          onClose={() => setIsPublishing(false)}
        />
      )}
    </>
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
      {isLockedOut && <p class="failure">{TEXTS.editor.lockedOut}</p>}
      {unknown.length > 0 && <p class="quiet">{TEXTS.editor.unknown(unknown.join(', '))}</p>}
      {refusal !== undefined && <Alert>{TEXTS.editor.mayNotPublish(refusal)}</Alert>}
    </>
  );
}

function factsOf(live: ListedVersion): string[] {
  if (live.isStartUnknown) return [TEXTS.history.startUnknown];
  const by = live.source === 'outside' ? TEXTS.manualEdit : TEXTS.history.by(authorOf(live));
  return [TEXTS.editor.since(localTime(new Date(live.at))), by];
}

interface RowProps {
  readonly field: unknown;
  readonly index: number;
  readonly findings: readonly Finding[];
  readonly stored: StoredDraft;
  /** The index of the field whose form is open. */
  readonly open: number;
  readonly setOpen: (index: number) => void;
  /** The languages whose translations are shown. */
  readonly languages: readonly string[];
  /** Goes on to the next field that lacks a text in the language, if there is one. */
  readonly onNext: (() => void) | undefined;
}

/** A field in the list: its caption, what can be done with it and, if it is open, its form. */
function FieldRow(props: RowProps) {
  const { field, index, findings, stored, open, setOpen, languages, onNext } = props;
  const { draft, edit } = stored;
  const isOpen = open === index;
  const { id, fieldName, fieldType, mandatory } = asMap(field);
  const name = String(fieldName || TEXTS.editor.untitled);
  const kind = KINDS.find((one) => one === fieldType);
  const original = draft.original.find((one) => id !== undefined && asMap(one).id === id);
  const { newField: added, edited } = TEXTS.editor;
  const isEdited = JSON.stringify(original) !== JSON.stringify(field);
  const move = (by: number) => {
    const to = index + by;
    if (to < 0 || to >= draft.fields.length) return;
    const moved = draft.fields.toSpliced(index, 1).toSpliced(to, 0, field);
    edit(moved, '', TEXTS.editor.movedTo(name, to + 1));
    if (isOpen) setOpen(to);
    else if (open === to) setOpen(index);
  };
  const remove = () => {
    edit(draft.fields.toSpliced(index, 1), '', TEXTS.editor.removed(name));
    setOpen(-1);
  };
  const actions = [
    ['up', '↑', () => move(-1), index === 0],
    ['down', '↓', () => move(1), index === draft.fields.length - 1],
    ['remove', '✕', remove, false],
  ] as const;

  return (
    <li class="field">
      <div class="row">
        <Button
          class="outline secondary name"
          aria-expanded={isOpen}
          onClick={() => setOpen(isOpen ? -1 : index)}
        >
          <strong>{name}</strong>
          <span class="quiet">
            {kind && TEXTS.field.kinds[kind]}
            {mandatory === true && `, ${TEXTS.editor.mandatory}`}
          </span>
          {isEdited && <span class="badge">{original ? edited : added}</span>}
          <FindingCount problems={findings.length} errors={countFindings(findings).errors} />
        </Button>
        {actions.map(([action, icon, run, isDisabled]) => (
          <Button
            key={action}
            title={`${TEXTS.editor[action]}: ${name}`}
            aria-label={`${TEXTS.editor[action]}: ${name}`}
            // It stays in the order of focus while it can do nothing.
            aria-disabled={isDisabled}
            onClick={run}
          >
            {icon}
          </Button>
        ))}
      </div>
      {isOpen && (
        <FieldForm
          {...{ field, original, findings, languages }}
          onChange={(changed, step) =>
            edit(draft.fields.with(index, changed), step && `${index} ${step}`)
          }
        />
      )}
      {isOpen && onNext && (
        <p class="form actions">
          <Button onClick={onNext}>{TEXTS.languages.next}</Button>
        </p>
      )}
    </li>
  );
}

/** Returns what stays the same when fields move, so that their buttons keep the focus. */
function keysOf(fields: readonly unknown[]): string[] {
  const seen = new Map<unknown, number>();
  return fields.map((field) => {
    const { id } = asMap(field);
    const before = seen.get(id) ?? 0;
    seen.set(id, before + 1);
    return `${typeof id} ${id} ${before}`;
  });
}

/** Returns the findings of a field, with paths that start at it. */
function findingsOf(findings: readonly Finding[], index: number): Finding[] {
  return findings.flatMap(({ path: [list, at, ...path], fieldName: _, ...finding }) =>
    list === 'fields' && at === index ? { ...finding, path } : [],
  );
}

/** Moves the focus to a control, once its form is open. */
function focusOn(selector: string, at = 0): void {
  setTimeout(() => {
    const control = document.querySelectorAll<HTMLElement>(selector)[at];
    control?.closest('details')?.setAttribute('open', '');
    control?.focus();
  });
}

/** The first control with an error. */
const FIRST_ERROR = '.form div:has(> .findings .error) :is(input, select, textarea)';

/** Asks regularly, while the page is visible, whether somebody else has published. */
function useNews(client: Client | undefined, onNews: (isOther: boolean) => void): void {
  useEffect(() => {
    if (!client) return;
    const { clientId, base, live } = client;
    const over = new AbortController();
    const ask = async () => {
      if (document.hidden) return;
      // What is not recorded yet has no author yet.
      const known = live ? base : '';
      const { value } = await read<Client>(clientPath(clientId), over.signal, known);
      if (value && (value.base !== base || value.live)) onNews(value.base !== base);
    };
    const timer = setInterval(ask, POLL_MS[live ? 'recorded' : 'unrecorded']);
    addEventListener('focus', ask, over);
    return () => {
      clearInterval(timer);
      over.abort();
    };
  }, [client]);
}

/** Ctrl-Z and Ctrl-Y undo and redo, except in an input, which undoes its own text. */
function useUndoKeys(undo: () => void, redo: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isText = event.target instanceof Element && event.target.matches('input, textarea');
      if (isText || !(event.ctrlKey || event.metaKey)) return;
      const key = event.key.toLowerCase();
      const run = key === 'y' || (key === 'z' && event.shiftKey) ? redo : key === 'z' ? undo : null;
      if (!run) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

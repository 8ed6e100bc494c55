import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Finding } from '../../../core/finding.ts';
import { clientPath } from '../api.ts';
import { asMap, checkDraft, KINDS, type Kind, moved, newField } from '../draft.ts';
import { useLoaded } from '../loaded.ts';
import { authorOf, Button, Command, localTime } from '../parts/basics.tsx';
import { FieldForm } from '../parts/field-form.tsx';
import { Phone, type SCREENS } from '../parts/phone.tsx';
import { PublishDialog, ScreenTabs } from '../parts/publish.tsx';
import { TEXTS } from '../texts.ts';
import type { Client, Deployment, Permission } from '../types.ts';
import { type StoredDraft, useDraft } from '../use-draft.ts';

interface Props {
  readonly deployment: Deployment;
  readonly client: Client;
  /** Reads the client again. */
  readonly reload: () => Promise<Client | undefined>;
}

/** Edits the configuration of a client beside a phone that shows it, and publishes it. */
export function EditorScreen({ deployment, client, reload }: Props) {
  const stored = useDraft(deployment.id, client);
  const { draft } = stored;
  const [open, setOpen] = useState(-1);
  const [screen, setScreen] = useState<(typeof SCREENS)[number]>('register');
  const [isPublishing, setIsPublishing] = useState(false);
  const [notice, setNotice] = useState('');
  const checked = useMemo(() => checkDraft(draft, client), [draft, client]);
  const keys = keysOf(draft.fields);
  const permission = useLoaded<Permission>(`${clientPath(client.clientId)}/permission`);
  useUndoKeys(stored);

  const errors = checked.findings.filter(({ severity }) => severity === 'error').length;
  const onPublished = async () => {
    const live = await reload();
    if (live) stored.restart(live);
  };
  const add = (kind: Kind) => {
    stored.edit([...draft.fields, newField(kind)], '');
    setOpen(draft.fields.length);
  };

  return (
    <>
      <Live client={client} />
      {permission.value?.mayPublish === false && (
        <p class="failure" role="alert">
          {TEXTS.editor.mayNotPublish(permission.value.reason ?? '')}
        </p>
      )}
      {permission.failure && (
        <p class="failure" role="alert">
          {permission.failure.message}
        </p>
      )}
      {stored.isChanged && draft.base !== client.base && (
        <p class="failure">{TEXTS.editor.outdated}</p>
      )}
      <div class="toolbar">
        <Button disabled={!stored.canUndo} onClick={stored.undo}>
          {TEXTS.editor.undo}
        </Button>
        <Button disabled={!stored.canRedo} onClick={stored.redo}>
          {TEXTS.editor.redo}
        </Button>
        <Button
          disabled={!stored.isChanged}
          onClick={() => {
            if (globalThis.confirm(TEXTS.editor.discardQuestion)) stored.restart(client);
          }}
        >
          {TEXTS.editor.discard}
        </Button>
        <span class="quiet" role="status">
          {!stored.isChanged
            ? TEXTS.editor.unchanged
            : stored.isStored
              ? TEXTS.editor.stored
              : TEXTS.editor.notStored}
        </span>
        <span class={errors > 0 ? 'error' : 'quiet'}>
          {TEXTS.editor.problems(errors, checked.findings.length - errors) ||
            TEXTS.editor.noProblems}
        </span>
        <Button class="primary" disabled={!stored.isChanged} onClick={() => setIsPublishing(true)}>
          {TEXTS.editor.publish}
        </Button>
      </div>
      <p class="visually-hidden" role="status">
        {notice}
      </p>
      <div class="editor">
        <div class="fields">
          {draft.fields.length === 0 && <p class="quiet">{TEXTS.editor.noFields}</p>}
          <ol>
            {draft.fields.map((field, index) => (
              <FieldRow
                key={keys[index]}
                {...{ field, index, stored, setNotice }}
                findings={findingsOf(checked.findings, index)}
                isOpen={open === index}
                setOpen={setOpen}
              />
            ))}
          </ol>
          <fieldset class="actions" aria-label={TEXTS.editor.add}>
            <span>{TEXTS.editor.add}:</span>
            {KINDS.map((kind) => (
              <button key={kind} type="button" onClick={() => add(kind)}>
                {TEXTS.field.kinds[kind]}
              </button>
            ))}
          </fieldset>
        </div>
        <aside aria-label={TEXTS.phone.title}>
          <ScreenTabs screen={screen} onChange={setScreen} />
          <Phone content={checked} screen={screen} />
        </aside>
      </div>
      <Command>{client.command}</Command>
      {isPublishing && (
        <PublishDialog
          clientId={client.clientId}
          change={{ draft }}
          onPublished={onPublished}
          onResolved={stored.replace}
          onClose={() => setIsPublishing(false)}
        />
      )}
    </>
  );
}

/** Says what is live, and what is wrong with the client beside its fields. */
function Live({ client }: { readonly client: Client }) {
  const { live, unknown, isLockedOut } = client;
  return (
    <>
      <p class="quiet">
        {live
          ? TEXTS.editor.live(
              TEXTS.editor.version(live.version),
              localTime(new Date(live.at)),
              authorOf(live),
            )
          : TEXTS.editor.notRecorded}
      </p>
      {isLockedOut && <p class="failure">{TEXTS.editor.lockedOut}</p>}
      {unknown.length > 0 && <p class="quiet">{TEXTS.editor.unknown(unknown.join(', '))}</p>}
    </>
  );
}

interface RowProps {
  readonly field: unknown;
  readonly index: number;
  readonly findings: readonly Finding[];
  readonly stored: StoredDraft;
  readonly isOpen: boolean;
  readonly setOpen: (index: number) => void;
  /** Tells a screen reader what has happened. */
  readonly setNotice: (text: string) => void;
}

/** A field in the list: its caption, what can be done with it and, if it is open, its form. */
function FieldRow({ field, index, findings, stored, isOpen, setOpen, setNotice }: RowProps) {
  const { draft, edit } = stored;
  const row = useRef<HTMLLIElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (isOpen && !wasOpen.current) row.current?.querySelector<HTMLElement>('input')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  useEffect(() => {
    // A new field opens at once.
    if (isOpen) row.current?.querySelector<HTMLElement>('input')?.focus();
  }, []);
  const { id, fieldName, fieldType, mandatory } = asMap(field);
  const name = String(fieldName || TEXTS.editor.untitled);
  const kind = KINDS.find((one) => one === fieldType);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const problems = TEXTS.editor.problems(errors, findings.length - errors);

  const move = (by: number) => {
    const to = index + by;
    if (to < 0 || to >= draft.fields.length) return;
    edit(moved(draft.fields, index, by), '');
    if (isOpen) setOpen(to);
    setNotice(TEXTS.editor.movedTo(name, to + 1));
  };
  const remove = () => {
    edit(draft.fields.toSpliced(index, 1), '');
    setOpen(-1);
    setNotice(TEXTS.editor.removed(name));
  };

  return (
    <li ref={row} class={isOpen ? 'field open' : 'field'}>
      <div class="row">
        <Button
          class="outline secondary name"
          aria-expanded={isOpen}
          onClick={() => setOpen(isOpen ? -1 : index)}
        >
          <strong>{name}</strong>
          <span class="quiet">
            {[
              kind && TEXTS.field.kinds[kind],
              mandatory === true && TEXTS.editor.mandatory,
              id === undefined && TEXTS.editor.newField,
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
          {problems && <span class={errors > 0 ? 'badge bad' : 'badge'}>{problems}</span>}
        </Button>
        <IconButton
          icon="↑"
          label={`${TEXTS.editor.up}: ${name}`}
          isDisabled={index === 0}
          onClick={() => move(-1)}
        />
        <IconButton
          icon="↓"
          label={`${TEXTS.editor.down}: ${name}`}
          isDisabled={index === draft.fields.length - 1}
          onClick={() => move(1)}
        />
        <IconButton icon="✕" label={`${TEXTS.editor.remove}: ${name}`} onClick={remove} />
      </div>
      {isOpen && (
        <FieldForm
          field={field}
          original={draft.original.find((one) => id !== undefined && asMap(one).id === id)}
          findings={findings}
          onChange={(changed, step) =>
            edit(draft.fields.with(index, changed), step && `${index} ${step}`)
          }
        />
      )}
    </li>
  );
}

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

/** A button that stays in the order of focus while it can do nothing. */
function IconButton({ icon, label, isDisabled = false, onClick }: IconButtonProps) {
  return (
    <Button
      class="outline secondary"
      aria-label={label}
      title={label}
      aria-disabled={isDisabled}
      onClick={onClick}
    >
      {icon}
    </Button>
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

/** Ctrl-Z and Ctrl-Y undo and redo, except in an input, which undoes its own text. */
function useUndoKeys({ undo, redo }: StoredDraft): void {
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

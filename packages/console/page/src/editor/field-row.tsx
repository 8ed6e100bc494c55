import { countFindings, FIELD_KINDS, languageName } from 'customer-data-api/configuration';
import { say } from 'customer-data-api/sentences';
import { useMemo } from 'preact/hooks';
import { clientPath } from '../api.ts';
import { asMap, copyOf, type DraftFinding, withMoved } from '../draft/draft.ts';
import type { StoredDraft } from '../draft/use-draft.ts';
import { FindingCount } from '../findings/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { Popup } from '../parts/popup.tsx';
import { KIND_NAMES, TEXTS } from '../texts.ts';
import { FieldForm } from './field-form.tsx';
import { type View, worstOf } from './use-view.ts';

interface Props {
  readonly clientId: string;
  readonly field: unknown;
  readonly index: number;
  readonly isLast: boolean;
  /** The published state of the field; undefined if it is new. */
  readonly original: unknown;
  readonly findings: readonly DraftFinding[];
  /** The number of texts that it lacks in the language that is shown. */
  readonly missing: number;
  readonly stored: StoredDraft;
  readonly view: View;
  /** The index of the field that is dragged; -1 if none is. */
  readonly dragged: { current: number };
}

/** A field in the list. While it is closed, it is rendered only if it changes itself. */
export function FieldRow(props: Props) {
  const { field, index, isLast, original, findings, missing, view } = props;
  const said = findings.map(({ number, message }) => `${number} ${message}`).join();
  const isOpen = view.open === index;
  return useMemo(
    () => <Row {...props} />,
    isOpen ? [props] : [field, index, isLast, original, said, missing, view.language],
  );
}

/** The caption of a field, what can be done with it and, if it is open, its form. */
function Row(props: Props) {
  const { clientId, field, index, original, findings, missing, stored, view, dragged } = props;
  const { open, setOpen, language, languages } = view;
  const worst = worstOf(findings);
  const isOpen = open === index;
  const { id, fieldName, fieldType, mandatory } = asMap(field);
  const name = String(fieldName || TEXTS.untitled);
  const kind = FIELD_KINDS.find((one) => one === fieldType);
  const isEdited = original !== field && JSON.stringify(original) !== JSON.stringify(field);
  return (
    <li
      class={isOpen ? 'field' : 'field closed'}
      onDragOver={(event) => dragged.current !== -1 && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (dragged.current !== -1) moveField(stored, view, dragged.current, index);
      }}
    >
      <div class="row">
        <span
          class="handle"
          draggable
          aria-hidden="true"
          title="Drag to move"
          onDragStart={(event) => {
            dragged.current = index;
            // Firefox drags only what has data.
            event.dataTransfer?.setData('text/plain', name);
          }}
          onDragEnd={() => {
            dragged.current = -1;
          }}
        >
          <Icon name="grip" />
        </span>
        <Button
          class="text name"
          aria-expanded={isOpen}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+Home Alt+End"
          onKeyDown={(event) => {
            const to = positionOf(event.key, index, stored.draft.fields.length);
            if (!event.altKey || to === undefined) return;
            event.preventDefault();
            moveField(stored, view, index, to);
          }}
          onClick={() => setOpen(isOpen ? -1 : index)}
        >
          <strong>
            <bdi>{name}</bdi>
          </strong>
          <span class="quiet">
            {kind ? KIND_NAMES[kind] : 'Unknown kind'}
            {mandatory === true && ', mandatory'}
          </span>
          {isEdited && <span class="badge good">{original ? 'Edited' : 'New field'}</span>}
          {missing > 0 && (
            <span class="badge warning">{`${missing} missing in ${languageName(language)}`}</span>
          )}
        </Button>
        {worst && (
          <Button class="text" onClick={() => view.lead(worst.number)}>
            <FindingCount findings={findings.length} errors={countFindings(findings).errors} />
          </Button>
        )}
        <Actions {...props} name={name} />
      </div>
      {isOpen && (
        <FieldForm
          {...{ field, original, language, languages }}
          findings={findings.map(({ fieldName: _, ...one }) => ({
            ...one,
            path: one.path.slice(2),
          }))}
          history={`${clientPath(clientId)}/options/${encodeURIComponent(String(id))}`}
          onChange={(changed, step) =>
            stored.edit(stored.draft.fields.with(index, changed), step && `${index} ${step}`)
          }
        />
      )}
    </li>
  );
}

interface ActionsProps extends Pick<Props, 'field' | 'index' | 'isLast' | 'stored' | 'view'> {
  readonly name: string;
}

/** Moves, duplicates or removes a field. */
function Actions({ field, index, isLast, name, stored, view }: ActionsProps) {
  const move = (to: number) => moveField(stored, view, index, to);
  const duplicate = () => {
    const told = say`Duplicated ${name}. The copy is new, and has its own answers.`;
    stored.edit(stored.draft.fields.toSpliced(index + 1, 0, copyOf(field)), '', told);
    view.setOpen(index + 1);
  };
  const remove = () => {
    stored.edit(stored.draft.fields.toSpliced(index, 1), '', TEXTS.removed(name));
    view.setOpen(-1);
  };
  const actions = [
    ['Move to the top', () => move(0), index === 0],
    ['Move up', () => move(index - 1), index === 0],
    ['Move down', () => move(index + 1), isLast],
    ['Duplicate', duplicate, false],
    ['Remove', remove, false],
  ] as const;
  const summary = (
    <>
      <Icon name="more" />
      <span class="hidden">{`Actions: ${name}`}</span>
    </>
  );
  return (
    <Popup class="menu more" {...{ summary }}>
      <div>
        {actions.map(([action, run, isDisabled]) => (
          <Button key={action} class="text" aria-disabled={isDisabled} onClick={run}>
            {action}
          </Button>
        ))}
      </div>
    </Popup>
  );
}

/** Moves a field to another position, and keeps the form of the same field open. */
function moveField(stored: StoredDraft, view: View, from: number, to: number): void {
  const { fields } = stored.draft;
  if (from === to || to < 0 || to >= fields.length) return;
  const { fieldName } = asMap(fields[from]);
  const told = say`${String(fieldName || TEXTS.untitled)} is number ${to + 1} now.`;
  stored.edit(withMoved(fields, from, to), '', told);
  const positions = withMoved([...fields.keys()], from, to);
  if (view.open !== -1) view.setOpen(positions.indexOf(view.open));
}

/** The keys that move a field, with Alt. */
function positionOf(key: string, from: number, count: number): number | undefined {
  const positions: Readonly<Record<string, number>> = {
    ArrowUp: from - 1,
    ArrowDown: from + 1,
    Home: 0,
    End: count - 1,
  };
  return positions[key];
}

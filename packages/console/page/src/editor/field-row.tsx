import { countFindings, FIELD_KINDS, languageName } from 'customer-data-api/configuration';
import { clientPath } from '../api.ts';
import { asMap, copyOf, type DraftFinding, withMoved } from '../draft/draft.ts';
import type { StoredDraft } from '../draft/use-draft.ts';
import { FindingCount } from '../findings/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { KIND_NAMES, TEXTS } from '../texts.ts';
import { FieldForm } from './field-form.tsx';
import { type View, worstOf } from './use-view.ts';

interface Props {
  readonly clientId: string;
  readonly field: unknown;
  readonly index: number;
  readonly findings: readonly DraftFinding[];
  readonly stored: StoredDraft;
  readonly view: View;
  /** The index of the field that is dragged; -1 if none is. */
  readonly dragged: { current: number };
}

/** A field in the list: its caption, what can be done with it and, if it is open, its form. */
export function FieldRow(props: Props) {
  const { clientId, field, index, findings, stored, view, dragged } = props;
  const { draft, edit } = stored;
  const { open, setOpen, language, languages } = view;
  const missing = view.missing.get(language)?.filter((text) => text.index === index) ?? [];
  const worst = worstOf(findings);
  const isOpen = open === index;
  const { id, fieldName, fieldType, mandatory } = asMap(field);
  const name = String(fieldName || TEXTS.untitled);
  const kind = FIELD_KINDS.find((one) => one === fieldType);
  const original = draft.from.fields.find((one) => id !== undefined && asMap(one).id === id);

  const isEdited = JSON.stringify(original) !== JSON.stringify(field);

  const move = (from: number, to: number) => moveField(stored, view, { from, to, name });
  const duplicate = () => {
    edit(
      draft.fields.toSpliced(index + 1, 0, copyOf(field)),
      '',
      `Duplicated ${name}. The copy is new, and has its own answers.`,
    );
    setOpen(index + 1);
  };

  return (
    <li
      class="field"
      onDragOver={(event) => dragged.current !== -1 && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const from = dragged.current;
        const { fieldName: moved } = asMap(draft.fields[from]);
        const to = index;
        if (from !== -1) moveField(stored, view, { from, to, name: String(moved) });
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
          <Icon name="move" />
        </span>
        <Button
          class="text name"
          aria-expanded={isOpen}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+Home Alt+End"
          onKeyDown={(event) => {
            const to = positionOf(event.key, index, draft.fields.length);
            if (!event.altKey || to === undefined) return;
            event.preventDefault();
            move(index, to);
          }}
          onClick={() => setOpen(isOpen ? -1 : index)}
        >
          <strong>{name}</strong>
          <span class="quiet">
            {kind ? KIND_NAMES[kind] : 'Unknown kind'}
            {mandatory === true && ', mandatory'}
          </span>
          {isEdited && <span class="badge good">{original ? 'Edited' : 'New field'}</span>}
          {missing.length > 0 && (
            <span class="badge warning">
              {`${missing.length} missing in ${languageName(language)}`}
            </span>
          )}
        </Button>
        {worst && (
          <Button class="text" onClick={() => view.lead(worst.number)}>
            <FindingCount findings={findings.length} errors={countFindings(findings).errors} />
          </Button>
        )}
        <Actions {...{ index, name, stored, view, move }} />
      </div>
      {isOpen && (
        <FieldForm
          {...{ field, original, findings, language, languages }}
          history={`${clientPath(clientId)}/options/${encodeURIComponent(String(id))}`}
          onChange={(changed, step) =>
            edit(draft.fields.with(index, changed), step && `${index} ${step}`)
          }
        />
      )}
      {isOpen && (
        <p class="form actions">
          <Button onClick={duplicate}>Duplicate</Button>
        </p>
      )}
    </li>
  );
}

const ACTIONS = {
  top: 'Move to the top',
  up: 'Move up',
  down: 'Move down',
  remove: 'Remove',
};

interface ActionsProps extends Pick<Props, 'index' | 'stored' | 'view'> {
  readonly name: string;
  readonly move: (from: number, to: number) => void;
}

/** Moves or removes a field. */
function Actions({ index, name, stored: { draft, edit }, view, move }: ActionsProps) {
  const remove = () => {
    edit(draft.fields.toSpliced(index, 1), '', TEXTS.removed(name));
    view.setOpen(-1);
  };
  const actions = [
    ['top', 'top', () => move(index, 0), index === 0],
    ['up', 'up', () => move(index, index - 1), index === 0],
    ['down', 'down', () => move(index, index + 1), index === draft.fields.length - 1],
    ['remove', 'remove', remove, false],
  ] as const;
  return actions.map(([action, icon, run, isDisabled]) => (
    <Button
      key={action}
      class="text icon-only"
      title={`${ACTIONS[action]}: ${name}`}
      aria-label={`${ACTIONS[action]}: ${name}`}
      // It stays in the order of focus while it can do nothing.
      aria-disabled={isDisabled}
      onClick={run}
    >
      <Icon name={icon} />
    </Button>
  ));
}

/** Moves a field to another position, and keeps the form of the same field open. */
function moveField(
  { draft: { fields }, edit }: StoredDraft,
  { open, setOpen }: View,
  { from, to, name }: { readonly from: number; readonly to: number; readonly name: string },
): void {
  if (from === to || to < 0 || to >= fields.length) return;
  edit(withMoved(fields, from, to), '', `${name} is number ${to + 1} now.`);
  const positions = withMoved([...fields.keys()], from, to);
  if (open !== -1) setOpen(positions.indexOf(open));
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

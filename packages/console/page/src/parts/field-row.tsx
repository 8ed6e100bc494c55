import { countFindings, type Finding } from 'customer-data-api/configuration';
import { asMap, KINDS } from '../draft.ts';
import { TEXTS } from '../texts.ts';
import type { StoredDraft } from '../use-draft.ts';
import type { View } from '../use-view.ts';
import { Button, FindingCount } from './basics.tsx';
import { FieldForm } from './field-form.tsx';

interface Props {
  readonly field: unknown;
  readonly index: number;
  readonly findings: readonly Finding[];
  readonly stored: StoredDraft;
  readonly view: View;
}

/** A field in the list: its caption, what can be done with it and, if it is open, its form. */
export function FieldRow({ field, index, findings, stored, view }: Props) {
  const { draft, edit } = stored;
  const { open, setOpen, chooseNext } = view;
  const isOpen = open === index;
  const { id, fieldName, fieldType, mandatory } = asMap(field);
  const name = String(fieldName || TEXTS.editor.untitled);
  const kind = KINDS.find((one) => one === fieldType);
  const original = draft.original.find((one) => id !== undefined && asMap(one).id === id);
  const { newField: added, edited } = TEXTS.editor;
  const isEdited = JSON.stringify(original) !== JSON.stringify(field);

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
        <Actions {...{ field, index, name, stored, view }} />
      </div>
      {isOpen && (
        <FieldForm
          {...{ field, original, findings, languages: view.shownLanguages }}
          onChange={(changed, step) =>
            edit(draft.fields.with(index, changed), step && `${index} ${step}`)
          }
        />
      )}
      {isOpen && chooseNext && (
        <p class="form actions">
          <Button onClick={chooseNext}>{TEXTS.languages.next}</Button>
        </p>
      )}
    </li>
  );
}

interface ActionsProps extends Omit<Props, 'findings'> {
  readonly name: string;
}

/** Moves or removes a field. */
function Actions({ field, index, name, stored: { draft, edit }, view }: ActionsProps) {
  const { open, setOpen } = view;
  const move = (by: number) => {
    const to = index + by;
    if (to < 0 || to >= draft.fields.length) return;
    const moved = draft.fields.toSpliced(index, 1).toSpliced(to, 0, field);
    edit(moved, '', TEXTS.editor.movedTo(name, to + 1));
    if (open === index) setOpen(to);
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
  return actions.map(([action, icon, run, isDisabled]) => (
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
  ));
}

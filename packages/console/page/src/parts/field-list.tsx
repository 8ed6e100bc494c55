import { useRef, useState } from 'preact/hooks';
import { asMap, type DraftFinding, hasText, KINDS, newField } from '../draft.ts';
import { TEXTS } from '../texts.ts';
import type { StoredDraft } from '../use-draft.ts';
import { findingsOf, type View } from '../use-view.ts';
import { Button, TextInput } from './basics.tsx';
import { FieldRow } from './field-row.tsx';
import { Labeled } from './labeled.tsx';

/** With more fields, a search is shown. */
const FEW = 8;

interface Props {
  readonly stored: StoredDraft;
  readonly view: View;
  readonly findings: readonly DraftFinding[];
}

/** The fields of a draft, in the order that customers see, and what adds one. */
export function FieldList({ stored, view, findings }: Props) {
  const { fields } = stored.draft;
  const keys = keysOf(fields);
  const [search, setSearch] = useState('');
  const dragged = useRef(-1);
  const isShown = (field: unknown, index: number) => index === view.open || hasText(field, search);
  const shown = fields.filter(isShown).length;
  return (
    <>
      {fields.length === 0 && <p class="quiet">{TEXTS.editor.noFields}</p>}
      {fields.length > FEW && (
        <>
          <Labeled label={TEXTS.editor.search}>
            <TextInput type="search" value={search} onInput={setSearch} />
          </Labeled>
          <p class="quiet" role="status">
            {search.trim() !== '' && TEXTS.editor.shown(shown, fields.length)}
          </p>
        </>
      )}
      <ol class="plain">
        {fields.map(
          (field, index) =>
            (search.trim() === '' || isShown(field, index)) && (
              <FieldRow
                key={keys[index]}
                {...{ field, index, stored, view, dragged }}
                findings={findingsOf(findings, index)}
              />
            ),
        )}
      </ol>
      <Addition {...{ stored, view }} onAdd={() => setSearch('')} />
    </>
  );
}

interface AdditionProps extends Pick<Props, 'stored' | 'view'> {
  readonly onAdd: () => void;
}

function Addition({ stored, view, onAdd }: AdditionProps) {
  const { draft, edit } = stored;
  return (
    <fieldset class="actions" aria-label={TEXTS.editor.add}>
      <span>{TEXTS.editor.add}:</span>
      {KINDS.map((kind) => (
        <Button
          key={kind}
          onClick={() => {
            onAdd();
            edit([...draft.fields, newField(kind)], '');
            view.setOpen(draft.fields.length);
          }}
        >
          {TEXTS.field.kinds[kind]}
        </Button>
      ))}
    </fieldset>
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

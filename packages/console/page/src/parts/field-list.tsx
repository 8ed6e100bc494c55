import type { Finding } from 'customer-data-api/configuration';
import { asMap, KINDS, newField } from '../draft.ts';
import { TEXTS } from '../texts.ts';
import type { StoredDraft } from '../use-draft.ts';
import { findingsOf, type View } from '../use-view.ts';
import { Button } from './basics.tsx';
import { FieldRow } from './field-row.tsx';

interface Props {
  readonly stored: StoredDraft;
  readonly view: View;
  readonly findings: readonly Finding[];
}

/** The fields of a draft, in the order that customers see, and what adds one. */
export function FieldList({ stored, view, findings }: Props) {
  const { fields } = stored.draft;
  const keys = keysOf(fields);
  return (
    <>
      {fields.length === 0 && <p class="quiet">{TEXTS.editor.noFields}</p>}
      <ol class="plain">
        {fields.map((field, index) => (
          <FieldRow
            key={keys[index]}
            {...{ field, index, stored, view }}
            findings={findingsOf(findings, index)}
          />
        ))}
      </ol>
      <Addition {...{ stored, view }} />
    </>
  );
}

function Addition({ stored, view }: Pick<Props, 'stored' | 'view'>) {
  const { draft, edit } = stored;
  return (
    <fieldset class="actions" aria-label={TEXTS.editor.add}>
      <span>{TEXTS.editor.add}:</span>
      {KINDS.map((kind) => (
        <Button
          key={kind}
          onClick={() => {
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

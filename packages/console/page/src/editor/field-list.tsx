import { counted, FIELD_KINDS } from 'customer-data-api/configuration';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Client } from '../answers.ts';
import { asMap, type DraftFinding, hasText, newField } from '../draft/draft.ts';
import type { StoredDraft } from '../draft/use-draft.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { KIND_NAMES } from '../texts.ts';
import { FieldRow } from './field-row.tsx';
import { Sources } from './sources.tsx';
import type { View } from './use-view.ts';

/** The most fields without a search. */
const FEW = 8;

interface Props {
  readonly client: Client;
  readonly stored: StoredDraft;
  readonly view: View;
  readonly findings: readonly DraftFinding[];
}

/** The fields of a draft, in the order that customers see, and what adds one. */
export function FieldList({ client, stored, view, findings }: Props) {
  const { fields, from } = stored.draft;
  const keys = keysOf(fields);
  const originals = useMemo(
    () => new Map(from.fields.toReversed().map((one) => [asMap(one).id, one])),
    [from.fields],
  );
  const byField = Map.groupBy(findings, ({ path: [list, at] }) => list === 'fields' && at);
  const missing = Map.groupBy(view.missing.get(view.language) ?? [], ({ index }) => index);
  const [search, setSearch] = useState('');
  const dragged = useRef(-1);
  const isShown = (field: unknown, index: number) => index === view.open || hasText(field, search);
  const shown = fields.filter(isShown).length;
  return (
    <>
      {fields.length === 0 && <p class="quiet">Customers are asked for nothing. Add a field.</p>}
      {fields.length > FEW && (
        <>
          <Labeled label="Search fields">
            <TextInput type="search" value={search} onInput={setSearch} />
          </Labeled>
          <p class="quiet" role="status">
            {search.trim() !== '' && `${shown} of ${counted(fields.length, 'field')}`}
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
                clientId={client.clientId}
                original={originals.get(asMap(field).id ?? {})}
                isLast={index === fields.length - 1}
                findings={byField.get(index) ?? []}
                missing={missing.get(index)?.length ?? 0}
              />
            ),
        )}
      </ol>
      <div class="actions spread">
        <Addition {...{ stored, view }} onAdd={() => setSearch('')} />
        <Sources {...{ client, stored }} />
      </div>
    </>
  );
}

interface AdditionProps extends Pick<Props, 'stored' | 'view'> {
  readonly onAdd: () => void;
}

function Addition({ stored, view, onAdd }: AdditionProps) {
  const { draft, edit } = stored;
  return (
    <fieldset class="actions" aria-label="Add a field">
      <span>Add a field:</span>
      {FIELD_KINDS.map((kind, index) => (
        <Button
          key={kind}
          // In an empty configuration, there is nothing to publish: this goes on.
          class={
            index === 0 && draft.fields.length === 0 && !stored.isChanged
              ? 'primary'
              : 'outline secondary'
          }
          onClick={() => {
            onAdd();
            edit([...draft.fields, newField(kind)], '');
            view.setOpen(draft.fields.length);
          }}
        >
          <Icon name="add" /> {KIND_NAMES[kind]}
        </Button>
      ))}
      {view.language !== '' && <span class="quiet">Fields are for all languages.</span>}
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

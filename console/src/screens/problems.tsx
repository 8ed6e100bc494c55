import { useState } from 'preact/hooks';
import { useLoaded } from '../loaded.ts';
import { Button, Command, Table, Time, Wait } from '../parts/basics.tsx';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import type { Problems } from '../types.ts';

const ORDER = ['problem', 'unchecked', 'note', 'ok'] as const;
const BADGES = { problem: 'bad', unchecked: '', note: '', ok: 'good' } as const;

/** Finds what is broken, on demand: it reads all clients. */
export function ProblemsScreen() {
  const [path, setPath] = useState<string>();
  const { value, failure, isLoading, reload } = useLoaded<Problems>(path);
  const texts = TEXTS.problems;
  return (
    <>
      <p>{texts.explanation}</p>
      <p>
        <Button
          class="primary"
          disabled={isLoading}
          onClick={() => (path ? reload() : setPath('problems'))}
        >
          {texts.start}
        </Button>
      </p>
      {(isLoading || failure) && <Wait failure={failure} retry={reload} text={texts.busy} />}
      {value && !isLoading && <Found problems={value} />}
    </>
  );
}

function Found({ problems: { diagnoses, edits, command } }: { readonly problems: Problems }) {
  const texts = TEXTS.problems;
  const edited = edits.map(({ clientId, at }) => [
    <a href={clientHref(clientId, 'history')}>{clientId}</a>,
    <Time at={at} />,
  ]);
  const checks = diagnoses
    .toSorted((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status))
    .map(({ check, status, message, clientId }) => [
      check,
      <span class={`badge ${BADGES[status]}`}>{texts.status[status]}</span>,
      message,
      clientId !== undefined && <a href={clientHref(clientId)}>{clientId}</a>,
    ]);
  return (
    <>
      <h2>{texts.edits}</h2>
      {edits.length === 0 && <p>{texts.noEdits}</p>}
      <Table columns={texts.editColumns} rows={edited} />
      <h2>{texts.checks}</h2>
      <Table columns={texts.checkColumns} rows={checks} />
      <Command>{command}</Command>
    </>
  );
}

import { useLoaded } from '../loaded.ts';
import { Command, Table, Time, Wait } from '../parts/basics.tsx';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import type { Problems } from '../types.ts';

const BADGES = { problem: 'bad', unchecked: '', note: '', ok: 'good' } as const;

/** Finds what is broken. It reads all clients. */
export function ProblemsScreen() {
  const { value, failure, reload } = useLoaded<Problems>('problems');
  const texts = TEXTS.problems;
  if (!value) return <Wait failure={failure} retry={reload} text={texts.busy} />;
  const { diagnoses, edits, command } = value;
  const needsAttention = ({ status }: Diagnosis) => status === 'problem' || status === 'unchecked';
  const wrong = diagnoses.filter(needsAttention);
  const fine = diagnoses.filter((one) => !needsAttention(one));
  const passed = fine.filter(({ status }) => status === 'ok').length;
  const count = wrong.length + edits.length;
  const edited = edits.map(({ clientId, at }) => [
    <a href={clientHref(clientId, 'history')}>{clientId}</a>,
    <Time at={at} />,
  ]);
  return (
    <>
      <p class={count > 0 ? 'failure' : 'done'} role="status">
        <strong>{texts.verdict(count)}</strong>
      </p>
      <Table columns={texts.checkColumns} rows={wrong.map(cellsOf)} />
      {edited.length > 0 && <h2>{texts.edits}</h2>}
      <Table columns={texts.editColumns} rows={edited} />
      <details>
        <summary>{texts.fine(passed, fine.length - passed)}</summary>
        <Table columns={texts.checkColumns} rows={fine.map(cellsOf)} />
      </details>
      <Command>{command}</Command>
    </>
  );
}

type Diagnosis = Problems['diagnoses'][number];

function cellsOf({ check, status, message, clientId }: Diagnosis) {
  return [
    check,
    <span class={`badge ${BADGES[status]}`}>{TEXTS.problems.status[status]}</span>,
    message,
    clientId !== undefined && <a href={clientHref(clientId)}>{clientId}</a>,
  ];
}

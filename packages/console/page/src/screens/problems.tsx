import { useLoaded } from '../loaded.ts';
import { Command, Table, Wait } from '../parts/basics.tsx';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import type { Problems } from '../types.ts';

const BADGES = { problem: 'bad', unchecked: '', note: '', ok: 'good' } as const;

/** Finds what is broken. It reads all clients. */
export function ProblemsScreen() {
  const { value, failure, reload } = useLoaded<Problems>('problems');
  const texts = TEXTS.problems;
  if (!value) return <Wait failure={failure} retry={reload} text={texts.busy} />;
  const { diagnoses, command } = value;
  const wrong = diagnoses.filter(needsAttention);
  const fine = diagnoses.filter((one) => !needsAttention(one));
  const passed = fine.filter(({ status }) => status === 'ok').length;
  return (
    <>
      <p class={wrong.length > 0 ? 'failure' : 'done'} role="status">
        <strong>{texts.verdict(wrong.length)}</strong>
      </p>
      <Table columns={texts.columns} rows={wrong.map(cellsOf)} />
      <details>
        <summary>{texts.fine(passed, fine.length - passed)}</summary>
        <Table columns={texts.columns} rows={fine.map(cellsOf)} />
      </details>
      <Command>{command}</Command>
    </>
  );
}

type Diagnosis = Problems['diagnoses'][number];

/** A note about a client is that somebody edited it manually. */
const needsAttention = ({ status, clientId }: Diagnosis) =>
  ['problem', 'unchecked'].includes(status) || clientId !== undefined;

function cellsOf({ check, status, message, clientId }: Diagnosis) {
  return [
    check,
    <span class={`badge ${BADGES[status]}`}>{TEXTS.problems.status[status]}</span>,
    message,
    clientId !== undefined && <a href={clientHref(clientId)}>{clientId}</a>,
  ];
}

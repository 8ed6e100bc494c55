import { useState } from 'preact/hooks';
import { useLoaded } from '../loaded.ts';
import { Button, Command, Time, Wait } from '../parts/basics.tsx';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import type { Problems } from '../types.ts';

const ORDER = ['problem', 'unchecked', 'note', 'ok'] as const;
const BADGES = { problem: 'bad', unchecked: '', note: '', ok: 'good' } as const;

/** Finds what is broken, on demand: it reads all clients. */
export function ProblemsScreen() {
  const [isStarted, setIsStarted] = useState(false);
  const { value, failure, reload } = useLoaded<Problems>(isStarted ? 'problems' : undefined);
  return (
    <>
      <p>{TEXTS.problems.explanation}</p>
      <p>
        <Button
          class="primary"
          disabled={isStarted && !value && !failure}
          onClick={() => (isStarted ? reload() : setIsStarted(true))}
        >
          {TEXTS.problems.start}
        </Button>
      </p>
      {isStarted && !value && <Wait failure={failure} retry={reload} text={TEXTS.problems.busy} />}
      {value && (
        <>
          <h2>{TEXTS.problems.edits}</h2>
          {value.edits.length === 0 && <p>{TEXTS.problems.noEdits}</p>}
          <ul>
            {value.edits.map(({ clientId, at }) => (
              <li key={clientId}>
                {clientId}, <Time at={at} />:{' '}
                <a href={clientHref(clientId, 'history')}>{TEXTS.problems.open}</a>
              </li>
            ))}
          </ul>
          <h2>{TEXTS.problems.checks}</h2>
          <ul class="checks">
            {value.diagnoses
              .toSorted((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status))
              .map(({ check, status, message, clientId }) => (
                <li key={`${check} ${clientId} ${message}`}>
                  <span class={`badge ${BADGES[status]}`}>{TEXTS.problems.status[status]}</span>{' '}
                  <strong>{check}</strong> <span class="message">{message}</span>{' '}
                  {clientId !== undefined && <a href={clientHref(clientId)}>{clientId}</a>}
                </li>
              ))}
          </ul>
          <Command>{value.command}</Command>
        </>
      )}
    </>
  );
}

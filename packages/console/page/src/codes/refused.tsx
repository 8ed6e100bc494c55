import { useState } from 'preact/hooks';
import type { CodeRefusals } from '../answers.ts';
import { clientPath, useLoaded } from '../api.ts';
import { Wait } from '../parts/failure.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time-text.tsx';
import { numbered } from '../texts.ts';

type Refusal = Extract<CodeRefusals, { ofClient: unknown }>['ofClient'][number];

/** Looks for refused codes when asked, as that searches the logs. */
export function Missing({ clientId }: { readonly clientId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget: { open } }) => setIsOpen(open)}>
      <summary>Why a code can be missing</summary>
      {isOpen && <Refused clientId={clientId} />}
    </details>
  );
}

/** Shows why codes of a client were refused in the last day, if somebody's code is missing. */
export function Refused({ clientId }: { readonly clientId: string }) {
  const path = `${clientPath(clientId)}/codes/refusals`;
  const { value, failure, reload } = useLoaded<CodeRefusals>(path);
  if (!value) return <Wait failure={failure} retry={reload} />;
  if ('unknown' in value) {
    return (
      <>
        <p>{`Why codes were refused is unknown: ${value.unknown}`}</p>
        {BY_REQUEST_ID}
      </>
    );
  }
  const columns = ['From', 'Requests', 'Why', 'What to tell the customer'];
  const table = (name: string, refusals: readonly Refusal[]) =>
    refusals.length === 0 ? (
      <p>None was logged.</p>
    ) : (
      <Table
        name={name}
        labels={['Requests']}
        columns={columns}
        rows={refusals.map(({ hour, requests, reason, advice }) => [
          <Time at={hour} />,
          numbered(requests),
          reason,
          advice,
        ])}
      />
    );
  const isNone = value.ofClient.length + value.ofAnyClient.length === 0;
  return (
    <>
      <h2>Refused codes of this client, last 24 hours</h2>
      <p class="quiet">Those of all its users: the log has neither users nor codes.</p>
      {isNone ? (
        <p>
          None was logged: a code that is missing was not sent in these hours, is stored in another
          spelling, or was blocked or throttled before the service saw it.
        </p>
      ) : (
        table('Refused codes of this client', value.ofClient)
      )}
      {value.ofAnyClient.length > 0 && (
        <>
          <h2>Refused before the client was known: of any client</h2>
          {table('Refused codes of any client', value.ofAnyClient)}
        </>
      )}
      {BY_REQUEST_ID}
    </>
  );
}

const BY_REQUEST_ID = (
  <p class="quiet">
    The developers of the app find out what became of one request by its id: the app shows it, or
    logs it (x-amzn-RequestId).
  </p>
);

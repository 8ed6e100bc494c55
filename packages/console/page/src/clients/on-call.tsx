import { counted } from 'customer-data-api/configuration';
import { useState } from 'preact/hooks';
import type { CheckResult, OnCallChecks } from '../answers.ts';
import { useLoaded } from '../api.ts';
import { DocumentLink } from '../parts/document-link.tsx';
import { Wait } from '../parts/failure.tsx';
import { Sentence } from '../parts/sentences.tsx';
import { Table } from '../parts/table.tsx';
import { clientHref } from '../route.ts';

/** The marks of the results, the worst first. */
const MARKS = {
  error: ['Error', 'bad'],
  unchecked: ['Not checked', 'warning'],
  warning: ['Warning', 'warning'],
  ok: ['OK', 'good'],
} as const;

/** The sections about what is checked. */
const SECTIONS = {
  alarms: 'runbook.md#alarms',
  'mute rules': 'runbook.md#questions-on-call',
  queues: 'runbook.md#move-dead-letters-back',
  clients: 'runbook.md#clientlockedout',
  'revoked keys': 'runbook.md#refusals',
} as { readonly clients: string } & Readonly<Record<string, string>>;

/** Makes the checks of those on call, once somebody opens them: they search the logs, too. */
export function OnCall() {
  const [isOpen, setIsOpen] = useState(false);
  const { value, failure, reload } = useLoaded<OnCallChecks>(isOpen ? 'checks' : undefined);
  const results = Object.keys(MARKS).flatMap(
    (one) => value?.results.filter(({ status }) => status === one) ?? [],
  );
  return (
    <details class="command" onToggle={() => setIsOpen(true)}>
      <summary>Checks of those on call</summary>
      {isOpen && !value && <Wait failure={failure} retry={reload} text="Checking…" />}
      <Table
        name="Checks of those on call"
        columns={['Check', 'Result', 'What was found', '']}
        rows={[...brokenRow(value?.brokenClients ?? 0), ...results.map(cellsOf)]}
      />
    </details>
  );
}

function Mark({ status }: Pick<CheckResult, 'status'>) {
  const [word, colour] = MARKS[status];
  return <span class={`badge ${colour}`}>{word}</span>;
}

/** The row of what the list above has. */
function brokenRow(clients: number) {
  if (clients === 0) return [];
  const section = <DocumentLink to={SECTIONS.clients}>Runbook</DocumentLink>;
  const text = `${counted(clients, 'client')} above must be repaired.`;
  return [['clients', <Mark status="error" />, text, section]];
}

function cellsOf({ check, status, document, clientId, message }: CheckResult) {
  const screen = check === 'clients' ? 'configuration' : 'access';
  const section = status === 'unchecked' ? UNCHECKED : (document ?? SECTIONS[check]);
  return [
    check,
    <Mark status={status} />,
    [
      <Sentence>{message}</Sentence>,
      ' ',
      clientId !== undefined && (
        <a href={clientHref(clientId, screen)}>
          <bdi>{clientId}</bdi>
        </a>
      ),
    ],
    section !== undefined && <DocumentLink to={section}>Runbook</DocumentLink>,
  ];
}

const UNCHECKED = 'runbook.md#when-a-call-of-aws-fails';

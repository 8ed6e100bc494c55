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
  problem: ['Problem', 'bad'],
  unchecked: ['Not checked', 'warning'],
  note: ['Note', ''],
  ok: ['OK', 'good'],
} as const;

/** The sections about what is checked. */
const SECTIONS: Readonly<Record<string, string>> = {
  alarms: 'runbook.md#alarms',
  'mute rules': 'runbook.md#questions-on-call',
  queues: 'runbook.md#move-dead-letters-back',
  clients: 'runbook.md#clientlockedout',
  'revoked keys': 'runbook.md#refusals',
};

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
        rows={results.map(cellsOf)}
      />
    </details>
  );
}

function cellsOf({ check, status, document, clientId, message, command }: CheckResult) {
  const [word, colour] = MARKS[status];
  const screen = check === 'clients' ? 'configuration' : 'access';
  const isOfClient = clientId !== undefined && message.startsWith(clientId);
  const said = isOfClient ? [{ value: clientId }, message.slice(clientId.length)] : [message];
  const section = status === 'unchecked' ? UNCHECKED : (document ?? SECTIONS[check]);
  return [
    check,
    <span class={`badge ${colour}`}>{word}</span>,
    [
      <Sentence>{[...said, ...(command === undefined ? [] : [' ', { command }])]}</Sentence>,
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

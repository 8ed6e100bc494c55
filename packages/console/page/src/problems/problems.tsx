import { counted } from 'customer-data-api/configuration';
import { useEffect } from 'preact/hooks';
import type { Problem, Problems } from '../answers.ts';
import { useLoaded } from '../api.ts';
import { Commands } from '../parts/command.tsx';
import { DocumentLink } from '../parts/document-link.tsx';
import { Wait } from '../parts/failure.tsx';
import { Sentence } from '../parts/sentences.tsx';
import { Table } from '../parts/table.tsx';
import { sentenceTime } from '../parts/time-text.tsx';
import { clientHref } from '../route.ts';

const BADGES = { problem: 'warning', unchecked: '', note: '', ok: 'good' } as const;

const STATUSES = { ok: 'OK', note: 'Note', problem: 'Problem', unchecked: 'Not checked' };

/** The facts of a result, for programs. */
type Facts = Readonly<Record<string, unknown>>;

/** A problem of a client, and the name of the link to where it is solved. */
const WORDS = {
  lockedOut: ({ attribute }: Facts) => [
    `Locked out: ${attribute === 'appIds' ? 'no App-Id' : 'no app client'} is permitted.`,
    'Set who may call',
  ],
  acceptsAllAppClients: () => [
    'It accepts customers who signed in to the app of another client.',
    'Choose its app clients',
  ],
  foreignAppClients: ({ names, isLockedOut }: Facts) => [
    `${isLockedOut ? 'Locked out: ' : ''}it names app clients that do not exist: ${names}.`,
    'Choose its app clients',
  ],
  revokedInUse: ({ fingerprint, requests }: Facts) => [
    `Apps still send the App-Id ${fingerprint}, which was revoked. Refused in the last 24 hours: at least ${requests}.`,
    'See its App-Ids',
  ],
  configurationErrors: ({ errors }: Facts) => [
    `Its configuration has ${counted(Number(errors), 'error')}. Customers do not see fields with errors.`,
    'Correct its fields',
  ],
  deletedClient: () => [
    'It was removed manually, so every call of its apps is refused. Create it again under this id, and restore a version in its history.',
    'Create it again',
  ],
  editedRule: ({ attribute, message }: Facts) => [
    `Its attribute ${attribute} ${message}.`,
    attribute === 'userPoolClientIds' ? 'Choose its app clients' : 'See it',
  ],
  manualEdit: ({ at }: Facts) => [
    `It was edited manually (${at}), and nothing has been published since.`,
    'See what was edited',
  ],
};

/** The sections that say what to do, by the code of what was found. */
const SECTIONS: Readonly<Record<string, string>> = {
  deadLetters: 'runbook.md#promoeventsdead',
  lostTopic: 'deploy.md#before-the-first-app-goes-live',
  noSubscription: 'runbook.md#alarms',
  mutedAlarms: 'runbook.md#questions-on-call',
  silentAlarms: 'runbook.md#alarms',
  unconfirmedSubscription: 'runbook.md#alarms',
  unpublished: 'runbook.md#busdead',
  unrecorded: 'runbook.md#versionslate-versionsmissing',
};

/** Finds what is broken, and leads to where it is solved. It reads all clients. */
export function ProblemsScreen({
  onAttention,
}: {
  readonly onAttention: (things: number) => void;
}) {
  const { value, failure, reload } = useLoaded<Problems>('problems');
  const { results = [] } = value ?? {};
  const wrong = results.filter(isWrong);
  useEffect(() => {
    if (value) onAttention(wrong.length);
  }, [value]);
  if (!value)
    return (
      <Wait
        failure={failure}
        retry={reload}
        text="Looking for problems. With thousands of clients, it takes a minute…"
      />
    );
  const here = wrong
    .filter(({ clientId }) => clientId !== undefined)
    .toSorted((one, other) => Number(isLockedOut(other)) - Number(isLockedOut(one)));
  const onCall = wrong.filter(({ clientId }) => clientId === undefined);
  const edits = results.filter(isManualEdit);
  const fine = results.filter((one) => !isWrong(one) && !isManualEdit(one));
  const passed = fine.filter(({ status }) => status === 'ok').length;
  return (
    <>
      <p class={statusClass(wrong)} role="status">
        <strong>
          {wrong.length === 0
            ? 'Nothing needs attention.'
            : `${counted(wrong.length, 'thing')} ${wrong.length === 1 ? 'needs' : 'need'} attention.`}
        </strong>
      </p>
      {here.length > 0 && <h2>You can solve these here</h2>}
      <Table
        name="You can solve these here"
        columns={['Client', 'What is wrong', '']}
        rows={here.map(ofClient)}
      />
      {onCall.length > 0 && <h2>Those on call solve these</h2>}
      <Table
        name="Those on call solve these"
        columns={['Result', 'What was found', '']}
        rows={onCall.map(ofOnCall)}
      />
      {edits.length > 0 && (
        <>
          <h2>Edited manually</h2>
          <p class="quiet">
            Somebody edited these in the table, without the checks, and nobody can say who. If it is
            right, there is nothing to do: a client leaves this list when it is published again, or
            when a repair has undone the edit.
          </p>
          <Table
            name="Edited manually"
            columns={['Client', 'What happened', '']}
            rows={edits.map(ofClient)}
          />
        </>
      )}
      <details>
        <summary>{`${counted(passed, 'check')} without a problem, ${counted(fine.length - passed, 'note')}`}</summary>
        <Table
          name="Checks"
          columns={['Check', 'Result', 'What was found']}
          rows={fine.map(cellsOf)}
        />
      </details>
      <Commands>
        {[
          ['Find problems', value.commands.find],
          ['Store or publish dead letters again', value.commands.redrive],
        ]}
      </Commands>
    </>
  );
}

const isWrong = ({ status }: Problem) => ['problem', 'unchecked'].includes(status);

/** Red is for what is known to be wrong. */
function statusClass(wrong: readonly Problem[]): string {
  if (wrong.length === 0) return 'good';
  return wrong.some(({ status }) => status === 'problem') ? 'bad' : 'warning';
}

/** True if all calls of a client are refused. */
const isLockedOut = ({ code, facts }: Problem) =>
  code === 'lockedOut' || code === 'deletedClient' || facts?.isLockedOut === true;

/** A note about a client is that somebody edited it manually. */
const isManualEdit = (one: Problem) => !isWrong(one) && one.clientId !== undefined;

/** A problem of a client, with a link to the screen that solves it. */
function ofClient(result: Problem) {
  const { clientId = '' } = result;
  const [sentence, action] = wordsOf(result) ?? [<Message {...result} />, clientId];
  return [<strong>{clientId}</strong>, sentence, <a href={solutionHref(result)}>{action}</a>];
}

function wordsOf({ code, facts = {} }: Problem): readonly string[] | undefined {
  const words: Readonly<Record<string, (facts: Problem['facts'] & object) => string[]>> = WORDS;
  const at = typeof facts.at === 'string' ? sentenceTime(facts.at) : '';
  return words[code ?? '']?.({ ...facts, at });
}

/** The address where something is solved. */
function solutionHref({ code, facts = {}, clientId = '' }: Problem): string {
  const { before, version } = facts;
  if (code === 'deletedClient' || clientId === '') return '#/';
  if (code === 'configurationErrors') return fixHref(clientId);
  if (code === 'rolloutRunsAgain') return clientHref(clientId);
  if (code !== 'manualEdit') return clientHref(clientId, 'access');
  const compare = before === undefined ? '' : `${before}..${version}`;
  return clientHref(clientId, 'history', { compare });
}

const fixHref = (clientId: string) => clientHref(clientId, 'configuration', { fix: '1' });

/** A problem that only those with access to the deployment can solve, and their steps. */
function ofOnCall(result: Problem) {
  const section = SECTIONS[result.code ?? ''];
  return [
    <Status of={result.status} />,
    <Message {...result} />,
    section !== undefined && <DocumentLink to={section}>What they do</DocumentLink>,
  ];
}

/** A message with the command or the document in which it ends. */
function Message({ message, command, document }: Problem) {
  return (
    <>
      <Sentence>{command === undefined ? message : [`${message} `, { command }]}</Sentence>
      {document !== undefined && (
        <p>
          <DocumentLink to={document}>What to do</DocumentLink>
        </p>
      )}
    </>
  );
}

function Status({ of }: { readonly of: Problem['status'] }) {
  return <span class={`badge ${BADGES[of]}`}>{STATUSES[of]}</span>;
}

function cellsOf(result: Problem) {
  const { check, status, code } = result;
  return [
    check,
    <Status of={status} />,
    code === 'warnings' ? <WithWarnings {...result} /> : <Message {...result} />,
  ];
}

/** The most clients in a list. The list of all clients has the others. */
const MAX_CLIENTS = 50;

function WithWarnings({ facts: { clientIds } = {} }: Problem) {
  const all: readonly string[] = Array.isArray(clientIds) ? clientIds : [];
  return (
    <>
      <p>These clients have warnings. Each link leads to the first one.</p>
      <ul>
        {all.slice(0, MAX_CLIENTS).map((clientId) => (
          <li key={clientId}>
            <a href={fixHref(clientId)}>{clientId}</a>
          </li>
        ))}
      </ul>
      {all.length > MAX_CLIENTS && (
        <a href="#/">{`… and ${counted(all.length - MAX_CLIENTS, 'other client')}`}</a>
      )}
    </>
  );
}

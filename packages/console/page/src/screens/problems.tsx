import type { Problem, Problems } from '../answers.ts';
import { useLoaded } from '../loaded.ts';
import { Command, localTime, Table, Wait } from '../parts/basics.tsx';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';

const texts = TEXTS.problems;
const BADGES = { problem: 'bad', unchecked: '', note: '', ok: 'good' } as const;

/** The sections that say what to do, by the code of what was found. */
const SECTIONS: Readonly<Record<string, string>> = {
  deadLetters: 'runbook.md#promoeventsdead',
  noGatewayRole: 'deploy.md#access-logs',
  oldRules: 'promo-events.md#subscribe',
  canaryAtFault: 'runbook.md#canaryatfault',
  silentAlarms: 'runbook.md#alarms',
  unconfirmedSubscription: 'runbook.md#alarms',
  unpublished: 'runbook.md#busdead',
  unrecorded: 'runbook.md#versionslate-versionsmissing',
  waiting: 'runbook.md#promoeventsqueued',
};

/** Finds what is broken, and leads to where it is solved. It reads all clients. */
export function ProblemsScreen() {
  const { value, failure, reload } = useLoaded<Problems>('problems');
  if (!value) return <Wait failure={failure} retry={reload} text={texts.busy} />;
  const { results, command } = value;
  const wrong = results.filter((one) => needsAttention(one) && !isNamedTwice(one, results));
  const here = wrong.filter(({ clientId }) => clientId !== undefined);
  const onCall = wrong.filter(({ clientId }) => clientId === undefined);
  const fine = results.filter((one) => !needsAttention(one));
  const passed = fine.filter(({ status }) => status === 'ok').length;
  return (
    <>
      <p class={wrong.length > 0 ? 'failure' : 'done'} role="status">
        <strong>{texts.verdict(wrong.length)}</strong>
      </p>
      {here.length > 0 && <h2>{texts.here}</h2>}
      <ul class="plain">{here.map(OfClient)}</ul>
      {onCall.length > 0 && <h2>{texts.onCall}</h2>}
      <ul class="plain">{onCall.map(OnCall)}</ul>
      <details>
        <summary>{texts.fine(passed, fine.length - passed)}</summary>
        <Table columns={texts.columns} rows={fine.map(cellsOf)} />
      </details>
      <Command>{command}</Command>
    </>
  );
}

/** A note about a client is that somebody edited it manually. */
const needsAttention = ({ status, clientId }: Problem) =>
  ['problem', 'unchecked'].includes(status) || clientId !== undefined;

/** True for a typing mistake that is named already as what locks the client out. */
function isNamedTwice({ code, facts = {}, clientId }: Problem, all: readonly Problem[]) {
  const isTypo = code === 'configurationErrors' && facts.misspelled && facts.errors === 1;
  return (
    isTypo && all.some((one) => one.clientId === clientId && one.facts?.isTypo && one.code !== code)
  );
}

/** What is wrong with a client, with a link to the screen that solves it. */
function OfClient(result: Problem, index: number) {
  const { clientId = '', message } = result;
  const [sentence, action] = wordsOf(result) ?? [message, clientId];
  return (
    <li key={index} class="box">
      <strong>{clientId}</strong>: {sentence} <a href={placeOf(result)}>{action}</a>
    </li>
  );
}

function wordsOf({ code, facts = {} }: Problem): readonly string[] | undefined {
  const words: Readonly<Record<string, (facts: Problem['facts'] & object) => string[]>> =
    texts.ofClient;
  const at = typeof facts.at === 'string' ? localTime(new Date(facts.at)) : '';
  return words[code ?? '']?.({ ...facts, at });
}

/** The address where something is solved. */
function placeOf({ code, facts = {}, clientId = '' }: Problem): string {
  const { before, version, misspelled } = facts;
  if (code === 'deletedClient' || clientId === '') return '#/';
  if (code === 'configurationErrors' && !misspelled) return fixHref(clientId);
  if (code === 'rolloutNotStopped' || code === 'rolloutRunsAgain') return clientHref(clientId);
  if (code !== 'manualEdit') return clientHref(clientId, 'access');
  const compare = before === undefined ? '' : `${before}..${version}`;
  return clientHref(clientId, 'history', { compare });
}

const fixHref = (clientId: string) => clientHref(clientId, 'configuration', { fix: '1' });

/** What only those with access to the deployment can solve, and how. */
function OnCall({ code, status, message }: Problem, index: number) {
  const section = code && SECTIONS[code];
  return (
    <li key={index} class="box">
      <span class={`badge ${BADGES[status]}`}>{texts.status[status]}</span> {message}{' '}
      {section !== undefined && (
        <a href={`docs/${section}`} target="_blank" rel="noreferrer">
          {texts.runbook}
        </a>
      )}
    </li>
  );
}

function cellsOf(result: Problem) {
  const { check, status, message, code } = result;
  return [
    check,
    <span class={`badge ${BADGES[status]}`}>{texts.status[status]}</span>,
    code === 'warnings' ? <WithWarnings {...result} /> : message,
  ];
}

/** The most clients in a list. The list of all clients has the others. */
const MAX_CLIENTS = 50;

function WithWarnings({ facts: { clientIds } = {} }: Problem) {
  const all: readonly string[] = Array.isArray(clientIds) ? clientIds : [];
  return (
    <>
      <p>{texts.withWarnings}</p>
      <ul>
        {all.slice(0, MAX_CLIENTS).map((clientId) => (
          <li key={clientId}>
            <a href={fixHref(clientId)}>{clientId}</a>
          </li>
        ))}
      </ul>
      {all.length > MAX_CLIENTS && <a href="#/">{texts.others(all.length - MAX_CLIENTS)}</a>}
    </>
  );
}

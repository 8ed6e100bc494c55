import { useEffect, useState } from 'preact/hooks';
import type { Access, AppIdUses, NewAppId } from '../answers.ts';
import { type Answer, clientPath, read, send } from '../api.ts';
import { useAnswer, useLoaded } from '../loaded.ts';
import { AppClientChoice } from '../parts/app-clients.tsx';
import {
  authorName,
  Button,
  Command,
  FailureText,
  localTime,
  Table,
  TextInput,
  Time,
  Wait,
} from '../parts/basics.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { NewAppIdBox } from '../parts/new-app-id.tsx';
import { TEXTS } from '../texts.ts';

const texts = TEXTS.access;
/** Each count is a query of the logs, which costs. */
const RECOUNT_MS = 60_000;

interface PartProps {
  readonly clientId: string;
  readonly access: Access;
  readonly reload: () => void;
}

/** Says who may call on behalf of a client, and changes it. */
export function AccessScreen({ clientId }: { readonly clientId: string }) {
  const { value, failure, reload } = useLoaded<Access>(`${clientPath(clientId)}/access`);
  if (!value) return <Wait failure={failure} retry={reload} />;
  const props = { clientId, access: value, reload };
  return (
    <>
      {value.isLockedOut && <p class="failure">{TEXTS.editor.lockedOut}</p>}
      {value.mistakes.map((mistake) => (
        <p key={mistake} class="failure">
          {mistake}
        </p>
      ))}
      <Refused {...props} />
      <AppIds {...props} />
      <AppClients key={String(value.appClients)} {...props} />
      <PromoCodes access={value} />
      <Removal {...props} />
      <Command>{value.command}</Command>
    </>
  );
}

/** Takes over the App-Ids that a typing mistake has refused. */
function Refused({ clientId, access: { refused, unreadable, commands }, reload }: PartProps) {
  const text = refused && texts.refused(refused.what, refused.from);
  return (
    <>
      {unreadable !== undefined && <p class="failure">{unreadable}</p>}
      {refused && (
        <>
          <p class="failure">{text}</p>
          <ConfirmButton
            name={texts.repair}
            title={texts.repairTitle}
            submit={texts.repairSubmit}
            command={commands.takeOver}
            path={`${clientPath(clientId)}/app-ids/take-over`}
            body={{ seen: refused.what }}
            onDone={reload}
          >
            <p>{text}</p>
            <p>{texts.repairEffect}</p>
          </ConfirmButton>
        </>
      )}
    </>
  );
}

/** The App-Ids by their fingerprints, with their uses; adds and revokes one. */
function AppIds({ clientId, access, reload }: PartProps) {
  const { appIds } = access;
  const path = clientPath(clientId);
  const fingerprints = appIds.map(({ fingerprint }) => fingerprint).join();
  const counted = useAnswer<AppIdUses & { readonly at: Date }>(
    fingerprints || undefined,
    async (signal) => {
      const { value, failure } = await read<AppIdUses>(`${path}/app-ids/uses`, signal);
      return { failure, value: value && { ...value, at: new Date() } };
    },
  );
  useEffect(() => {
    const over = new AbortController();
    let last = Date.now();
    const countAgain = () => {
      if (Date.now() - last < RECOUNT_MS) return;
      last = Date.now();
      counted.reload();
    };
    addEventListener('focus', countAgain, over);
    return () => over.abort();
  }, []);
  const found = counted.value;
  const uses = found && 'uses' in found ? found.uses : {};
  const unknown = found && 'unknown' in found ? found.unknown : counted.failure?.message;
  const isCounting = !found && unknown === undefined;
  const usesOf = (fingerprint: string) => {
    const count = uses[fingerprint];
    if (count !== undefined) return texts.count(count);
    return isCounting ? texts.counting : texts.notCounted;
  };
  const rows = appIds.map(({ fingerprint, label, at, by, revoke }) => {
    const isUsed = (uses[fingerprint] ?? 0) > 0;
    return [
      [<code>{fingerprint}</code>, ' ', label],
      <ConfirmButton
        name={texts.revoke}
        label={`${texts.revoke} ${label ?? fingerprint}`}
        isDisabled={appIds.length === 1}
        title={texts.revokeTitle([fingerprint, label].filter(Boolean).join(', '))}
        submit={isUsed ? texts.revokeUsed : texts.revokeSubmit}
        command={revoke}
        path={`${path}/app-ids/revoke`}
        body={{ fingerprint }}
        onDone={reload}
      >
        <p class={isUsed ? 'failure' : ''}>
          <strong>
            {isCounting
              ? texts.counting
              : unknown === undefined
                ? texts.uses(uses[fingerprint] ?? 0)
                : texts.unknown(unknown)}
          </strong>
        </p>
        <p>{texts.revokeEffect}</p>
      </ConfirmButton>,
      usesOf(fingerprint),
      at ? [<Time at={at} />, ' ', by && TEXTS.history.by(authorName(by))] : texts.addedUnknown,
    ];
  });
  return (
    <section>
      <h2>{TEXTS.nav.appIds}</h2>
      <p class="quiet">{texts.explanation}</p>
      <Table columns={texts.columns} rows={rows} />
      {appIds.length === 0 && <p>{texts.none}</p>}
      {appIds.length === 1 && <p class="quiet">{TEXTS.failures.lastAppId}</p>}
      {unknown !== undefined && <p>{texts.unknown(unknown)}</p>}
      {found && 'uses' in found && <p class="quiet">{texts.countedAt(localTime(found.at))}</p>}
      <Addition {...{ clientId, access, reload }} />
    </section>
  );
}

function Addition({ clientId, access, reload }: PartProps) {
  const [label, setLabel] = useState('');
  const [answer, setAnswer] = useState<Answer<NewAppId>>({});
  const add = async (event: Event) => {
    event.preventDefault();
    const body = label.trim() === '' ? {} : { label };
    const added = await send<NewAppId>(`${clientPath(clientId)}/app-ids`, '', body);
    setAnswer(added);
    if (!added.value) return;
    setLabel('');
    reload();
  };
  return (
    <form class="box" onSubmit={add}>
      <p class="quiet">{texts.rotate}</p>
      <Labeled label={texts.label}>
        <TextInput value={label} onInput={setLabel} />
      </Labeled>
      {answer.failure && <FailureText failure={answer.failure} />}
      <p class="actions">
        <Button type="submit">{texts.add}</Button>
      </p>
      {answer.value && <NewAppIdBox key={answer.value.fingerprint} made={answer.value} />}
      <Command>{access.commands.add}</Command>
    </form>
  );
}

/** The app clients whose tokens the client accepts. */
function AppClients({ clientId, access, reload }: PartProps) {
  const { known, appClients, misspelledAppClients: misspelled, commands } = access;
  const [chosen, setChosen] = useState(appClients ?? []);
  const before = appClients ?? [];
  const added = chosen.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !chosen.includes(id));
  const isSame =
    appClients !== undefined && added.length + removed.length + misspelled.length === 0;
  return (
    <section>
      <h2>{texts.appClients}</h2>
      <p class="quiet">{texts.appClientsExplanation}</p>
      {appClients === undefined && <p class="warning">{texts.acceptsAll}</p>}
      {misspelled.length > 0 && <p class="failure">{texts.misspelled(misspelled.join(', '))}</p>}
      <AppClientChoice {...{ known, chosen }} onChange={setChosen} />
      <p class="actions">
        <ConfirmButton
          name={texts.set}
          isDisabled={isSame || chosen.length === 0}
          title={texts.setTitle}
          submit={texts.setSubmit}
          command={commands.appClients}
          path={`${clientPath(clientId)}/app-clients`}
          body={{ appClients: chosen, seen: appClients ?? null }}
          onDone={reload}
        >
          {texts
            .setEffect(added.join(', '), appClients ? removed.join(', ') : texts.others)
            .map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
        </ConfirmButton>
        <span role="status">{chosen.length === 0 && texts.noneChosen}</span>
      </p>
    </section>
  );
}

/** Says whether the case of promo codes counts. */
function PromoCodes({ access }: Pick<PartProps, 'access'>) {
  return (
    <section>
      <h2>{texts.promoCodes}</h2>
      <p>{access.promoCodesIgnoreCase ? texts.caseIgnored : texts.caseCounts}</p>
      <p class="quiet">{texts.caseFixed}</p>
    </section>
  );
}

function Removal({ clientId, access }: PartProps) {
  return (
    <section>
      <h2>{texts.remove}</h2>
      <p class="quiet">{texts.removeEffect}</p>
      <ConfirmButton
        name={texts.removeButton}
        title={texts.removeTitle(clientId)}
        submit={texts.removeSubmit}
        typed={clientId}
        command={access.commands.remove}
        path={`${clientPath(clientId)}/remove`}
        body={{}}
        onDone={() => {
          location.hash = '#/';
        }}
      >
        <p class="failure">{texts.removeEffect}</p>
      </ConfirmButton>
    </section>
  );
}

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Codes, Deployment, FailureBody } from '../answers.ts';
import { clientPath, read, save, useLoaded } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { FailureText, Wait } from '../parts/failure.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { joined } from './counts.ts';
import { Found } from './found.tsx';
import {
  type Conditions,
  conditionsOf,
  fileNameOf,
  firstOf,
  INPUTS,
  parametersOf,
  searchHref,
} from './search.ts';

const isDate = (name: string) => ['since', 'until'].includes(name);

/** The days that a button chooses, today included. */
const PERIODS = { Today: 1, '7 days': 7 };

/** The results of a search, by what is entered. */
const FINDS = {
  'A user id': 'All codes of that user, and how those on call hand over or erase them.',
  'A promo code': 'Who applied it, and when. This reads up to 25,000 entries at a time.',
  Both: 'Whether this user applied this code, and their newest other codes.',
  Neither: 'All codes of this client, 25,000 entries at a time, in the order of user ids.',
};

interface Props {
  readonly deployment: Deployment;
  readonly clientId: string;
  /** The conditions of the search, or `all`; empty before a search. */
  readonly query: URLSearchParams;
}

/** Finds the promo codes of a client by user, code, device and local date. */
export function CodesScreen({ deployment, clientId, query }: Props) {
  const conditions = conditionsOf((name) => query.get(name));
  const isAsked = query.has('all') || Object.keys(conditions).length > 0;
  /** Codes that earlier parts of a search found. */
  const [earlier, setEarlier] = useState<{ readonly of: string; readonly codes: Codes }>();
  const [csvFailure, setCsvFailure] = useState<FailureBody>();
  const form = useRef<HTMLFormElement>(null);
  const inputs = (...names: (keyof typeof INPUTS)[]) =>
    names.map((name) => (
      <Labeled key={name} label={INPUTS[name]}>
        <input
          name={name}
          {...(isDate(name) && { type: 'date' as const, max: '9999-12-31' })}
          autocomplete="off"
        />
      </Labeled>
    ));
  const isLimited = Boolean(conditions.device || conditions.since || conditions.until);
  const before = earlier?.of === `${query}` ? earlier.codes : undefined;
  const after = before?.rest?.after;
  const path = `${clientPath(clientId)}/codes?${parametersOf(conditions)}`;
  const asked = after === undefined ? path : `${path}&after=${encodeURIComponent(after)}`;
  const { value, failure, isLoading, reload } = useLoaded<Codes>(isAsked ? asked : undefined);
  const codes = value ? joined(before, value) : before;

  useLayoutEffect(() => {
    for (const input of form.current?.querySelectorAll('input') ?? []) {
      input.value = query.get(input.name) ?? '';
    }
  }, [`${query}`]);
  const search = (entered: Conditions) => {
    const href = searchHref(clientId, entered);
    setCsvFailure(undefined);
    setEarlier(undefined);
    if (location.hash === href) reload();
    else location.hash = href;
  };
  const entered = () => {
    const data = new FormData(form.current ?? undefined);
    return conditionsOf((name) => data.get(name));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    search(entered());
  };
  const download = async () => {
    const csv = await read<Blob>(`${clientPath(clientId)}/codes.csv?${parametersOf(conditions)}`);
    setCsvFailure(csv.failure);
    if (csv.value !== undefined) save(csv.value, fileNameOf(clientId, conditions));
  };

  return (
    <>
      <form class="choice search" onSubmit={submit} ref={form}>
        {inputs('user', 'code')}
        <button type="submit">Search</button>
        <details class="new" open={isLimited}>
          <summary>More</summary>
          <div class="choice search">
            {deployment.storesDeviceIds && inputs('device')}
            {inputs('since', 'until')}
            {Object.entries(PERIODS).map(([name, days]) => (
              <Button
                key={name}
                aria-pressed={conditions.since === firstOf(days) && !conditions.until}
                onClick={() => search({ ...entered(), since: firstOf(days), until: '' })}
              >
                {name}
              </Button>
            ))}
          </div>
        </details>
      </form>
      {csvFailure && <FailureText failure={csvFailure} />}
      {codes && (
        <Found
          {...{ clientId, codes, isLimited }}
          onDownload={download}
          onReadOn={isLoading ? undefined : () => setEarlier({ of: `${query}`, codes })}
        />
      )}
      {(failure || (isLoading && !codes)) && <Wait failure={failure} retry={reload} />}
      {!isAsked && (
        <dl>
          {Object.entries(FINDS).map(([what, finds]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd class="quiet">{finds}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

import { clientPath } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Command, Table, Time, Wait } from '../parts/basics.tsx';
import { TEXTS } from '../texts.ts';
import type { AppIds } from '../types.ts';

/** Shows the App-Ids of a client by their fingerprints, with labels and last uses. */
export function AppIdsScreen({ clientId }: { readonly clientId: string }) {
  const { value, failure, reload } = useLoaded<AppIds>(`${clientPath(clientId)}/app-ids`);
  const texts = TEXTS.appIds;
  if (!value) return <Wait failure={failure} retry={reload} text={texts.slow} />;
  const { appIds, unknown, command } = value;
  const rows = appIds.map(({ key, label, at, by, uses }) => [
    <code>{key}</code>,
    label,
    at && [<Time at={at} />, ' ', by && TEXTS.history.by(by)],
    uses,
  ]);
  return (
    <>
      <p class="quiet">{texts.explanation}</p>
      <Table columns={[texts.key, texts.label, texts.added, texts.uses]} rows={rows} />
      {appIds.length === 0 && <p>{texts.none}</p>}
      {unknown !== undefined && <p>{texts.unknown(unknown)}</p>}
      <p class="quiet">{texts.change}</p>
      <Command>{command}</Command>
    </>
  );
}

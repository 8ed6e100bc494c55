import { clientPath } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Command, Time, Wait } from '../parts/basics.tsx';
import { TEXTS } from '../texts.ts';
import type { AppId } from '../types.ts';

/** Shows the App-Ids of a client by their fingerprints, with labels and last uses. */
export function AppIdsScreen({ clientId }: { readonly clientId: string }) {
  const { value, failure, reload } = useLoaded<{
    readonly appIds: readonly AppId[];
    readonly unknown?: string;
    readonly command: string;
  }>(`${clientPath(clientId)}/app-ids`);
  const { columns } = TEXTS.appIds;
  return (
    <>
      {!value && <Wait failure={failure} retry={reload} text={TEXTS.appIds.slow} />}
      {value?.appIds.length === 0 && <p>{TEXTS.appIds.none}</p>}
      {value && value.appIds.length > 0 && (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{columns.key}</th>
                <th scope="col">{columns.label}</th>
                <th scope="col">{columns.added}</th>
                <th scope="col">{columns.uses}</th>
              </tr>
            </thead>
            <tbody>
              {value.appIds.map(({ key, label, at, by, uses }) => (
                <tr key={key}>
                  <th scope="row">
                    <code>{key}</code>
                  </th>
                  <td>{label}</td>
                  <td>
                    <Time at={at} /> {by !== undefined && TEXTS.history.by(by)}
                  </td>
                  <td>{uses}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {value?.unknown !== undefined && <p>{TEXTS.appIds.unknown(value.unknown)}</p>}
      <p class="quiet">{TEXTS.appIds.change}</p>
      <Command>{value?.command}</Command>
    </>
  );
}

import { listClients } from '../../admin/clients/configs-table.ts';
import { findManualEdits } from '../../admin/configuration/manual-edits.ts';
import type { Problems } from '../../console/src/types.ts';
import { diagnose, type Named } from '../commands/doctor/diagnose.ts';
import { suggested } from '../suggestion.ts';
import type { Call } from './call.ts';
import { json } from './responses.ts';
import { shownVersion } from './versions.ts';

/** Finds what is broken, and which clients were edited manually. It reads every client. */
export async function problems({ caller: { configs, deployment, tables } }: Call) {
  const diagnoses: Named[] = [];
  for await (const diagnosis of diagnose(deployment, { progress: () => {} })) {
    diagnoses.push(diagnosis);
  }
  const clientIds: string[] = [];
  for await (const { clientId } of listClients(configs, ['clientId'])) {
    clientIds.push(String(clientId));
  }
  const edits = await findManualEdits(tables, clientIds);
  return json<Problems>({
    diagnoses,
    edits: edits.map(shownVersion),
    command: suggested('doctor'),
  });
}

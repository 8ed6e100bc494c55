import {
  type ClientSummary,
  countFindings,
  summarizeClient,
} from '../../../admin/clients/client-summary.ts';
import { listClients } from '../../../admin/clients/configs-table.ts';
import { counted, printable } from '../../../core/text.ts';
import { appClientIds } from '../../deployment/outputs.ts';
import { configsTable } from '../../deployment/tables.ts';
import type { Check, Diagnosis } from './diagnosis.ts';

/** Clients that admit nobody, lost their separation or have fields that apps do not get. */
export const clients: Check = {
  name: 'clients',
  run: async function* (deployment, { progress }) {
    using table = configsTable(deployment);
    const known = appClientIds(deployment.outputs);
    let count = 0;
    let withProblems = 0;
    for await (const item of listClients(table)) {
      const client = summarizeClient(item, deployment.requiresUserPoolClientIds);
      const problems = problemsOf(client, known).map(
        (problem): Diagnosis => ({
          status: 'problem',
          message: `${printable(client.clientId)} ${problem}`,
        }),
      );
      if (problems.length > 0) withProblems++;
      yield* problems;
      progress(++count);
    }
    if (withProblems === 0) {
      yield {
        status: 'ok',
        message: `The configurations and keys of ${counted(count, 'client')} are valid.`,
      };
    }
  },
};

/** @param known the app clients of the deployment. */
function problemsOf(client: ClientSummary, known: readonly string[]): string[] {
  const { keys, userPoolClientIds, findings } = client;
  const clientId = printable(client.clientId);
  const foreign = userPoolClientIds?.filter((id) => !known.includes(id)) ?? [];
  // If only one of several values is wrong, the others still admit somebody.
  const accepted = new Map<unknown, readonly string[] | undefined>(
    Object.entries({ appIds: keys, userPoolClientIds }),
  );
  const ofAccess = findings.filter(({ path: [name] }) => accepted.get(name)?.length === 0);
  const others = countFindings(client).errors - ofAccess.length;
  return [
    ...ofAccess.map(({ path, message }) => `is locked out: ${path.join('.')} ${message}.`),
    ...(userPoolClientIds === undefined
      ? [
          `has no userPoolClientIds, so it accepts tokens of the apps of all clients. Set them with clients set-app-clients ${clientId}.`,
        ]
      : []),
    ...(foreign.length > 0
      ? [
          `${foreign.length === userPoolClientIds?.length ? 'is locked out' : 'names unknown app clients'}: the deployment has no app client ${foreign.map(printable).join(', ')}. Correct userPoolClientIds with clients set-app-clients ${clientId}.`,
        ]
      : []),
    ...(others > 0
      ? [`has ${counted(others, 'error')}. Look at them with clients show ${clientId}.`]
      : []),
  ];
}

import { summarizeClient } from '../../core/clients/client-summary.ts';
import { listClients } from '../../core/clients/configs-table.ts';
import { configsTable } from '../clients/table.ts';
import { printable } from '../terminal.ts';
import type { Check, Diagnosis } from './diagnosis.ts';

/** Clients that admit nobody, lost their separation or have fields that apps do not get. */
export const clients: Check = {
  name: 'clients',
  run: async function* (deployment, { progress }) {
    using table = configsTable(deployment);
    let count = 0;
    let withProblems = 0;
    for await (const item of listClients(table)) {
      const client = summarizeClient(item, deployment.requiresUserPoolClientIds);
      const problems = problemsOf(client).map(
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
        message: `The configurations and keys of all ${count} clients are valid.`,
      };
    }
  },
};

function problemsOf(client: ReturnType<typeof summarizeClient>): string[] {
  const { clientId, admitsNobody, keys, userPoolClientIds, errors } = client;
  return [
    ...(admitsNobody && keys.length === 0
      ? [`admits nobody: it has no key. Add one with keys add ${clientId}.`]
      : []),
    ...(admitsNobody && keys.length > 0
      ? ['admits nobody: its userPoolClientIds are missing or cannot be read. Correct the item.']
      : []),
    ...(userPoolClientIds === undefined
      ? ['lacks userPoolClientIds: it accepts the tokens of the apps of all clients.']
      : []),
    ...(errors > 0
      ? [
          `has ${errors} ${errors === 1 ? 'error' : 'errors'} in its configuration. See clients show ${clientId}.`,
        ]
      : []),
  ];
}

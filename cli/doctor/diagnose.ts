import { AwsError, inOneLine } from '../aws-error.ts';
import type { Deployment } from '../deployment.ts';
import { concurrency, gatewayLogs } from './account.ts';
import { alarms } from './alarms.ts';
import { clients } from './clients.ts';
import type { Caller, Check, Diagnosis } from './diagnosis.ts';
import { permissions } from './permissions.ts';
import { queues } from './queues.ts';

const CHECKS: readonly Check[] = [permissions, gatewayLogs, concurrency, alarms, queues, clients];

/** A diagnosis with the name of its check. */
export type Named = Diagnosis & { readonly check: string };

/** Runs all checks, one after the other. A check that AWS refuses or does not answer is unchecked; the others still run. */
export async function* diagnose(
  deployment: Deployment,
  caller: Caller,
  checks: readonly Check[] = CHECKS,
): AsyncGenerator<Named> {
  for (const { name: check, notLocal, run } of checks) {
    if (notLocal && deployment.outputs.JwksUri !== undefined) {
      yield { check, status: 'note', message: `Does not apply: ${notLocal}.` };
      continue;
    }
    try {
      for await (const diagnosis of run(deployment, caller)) yield { check, ...diagnosis };
    } catch (error) {
      const failure = inOneLine(error);
      if (!(failure instanceof AwsError)) throw error;
      yield { check, status: 'unchecked', message: failure.message };
    }
  }
}

import { AwsError, inOneLine } from '../../deployment/aws-error.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { concurrency, gatewayLogs, requests } from './account.ts';
import { alarms } from './alarms.ts';
import { clients } from './clients.ts';
import type { Caller, Check, Diagnosis } from './diagnosis.ts';
import { queues } from './queues.ts';

const CHECKS: readonly Check[] = [gatewayLogs, requests, concurrency, alarms, queues, clients];

/** A diagnosis with the name of its check. */
export type Named = Diagnosis & { readonly check: string };

/** Runs the checks of a deployment, one after the other. */
export function diagnose(deployment: Deployment, caller: Caller): AsyncGenerator<Named> {
  const isLocal = deployment.outputs.JwksUri !== undefined;
  return runChecks(
    CHECKS.map(({ name, notLocal, run }) => ({
      name,
      run: () => (notLocal && isLocal ? doesNotApply(notLocal) : run(deployment, caller)),
    })),
  );
}

async function* doesNotApply(reason: string): AsyncGenerator<Diagnosis> {
  yield { status: 'note', message: `Does not apply: ${reason}.` };
}

/**
 * Runs checks one after the other. One that AWS refuses or does not answer is unchecked; the others
 * still run.
 */
export async function* runChecks(
  checks: readonly { readonly name: string; readonly run: () => AsyncGenerator<Diagnosis> }[],
): AsyncGenerator<Named> {
  for (const { name: check, run } of checks) {
    try {
      for await (const diagnosis of run()) yield { check, ...diagnosis };
    } catch (error) {
      const failure = inOneLine(error);
      if (!(failure instanceof AwsError)) throw error;
      yield { check, status: 'unchecked', message: failure.message };
    }
  }
}

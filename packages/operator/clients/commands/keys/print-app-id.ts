import { fingerprintOf } from 'customer-data-api/clients';
import { noteTo, printOnce, suggested, type Terminal } from 'customer-data-api-deployment/program';
import type { JsonOption } from '../../../options.ts';

/**
 * Prints an App-Id that was just stored. If it cannot be printed, it is lost, and valid: the
 * command says how to replace it.
 */
export async function printAppId(
  terminal: Terminal,
  { clientId, appId }: { readonly clientId: string; readonly appId: string },
  { json }: JsonOption,
): Promise<void> {
  const fingerprint = fingerprintOf(appId);
  const line = json ? JSON.stringify({ clientId, appId, fingerprint }) : appId;
  if (await printOnce(terminal, line)) return;
  const note = noteTo(terminal);
  note(
    `It could not be printed, so it is lost. Add another one: ${suggested('keys', 'add', clientId)}`,
  );
  note(`Then revoke the lost one: ${suggested('keys', 'revoke', clientId, fingerprint)}`);
}

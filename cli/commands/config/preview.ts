import { fileOf, readStored } from '../../../admin/configuration/stored-configuration.ts';
import { checkConfiguration } from '../../../core/configuration/check-configuration.ts';
import { readConfiguration } from '../../../core/configuration/read-configuration.ts';
import { findingText } from '../../../core/finding.ts';
import { printable } from '../../../core/text.ts';
import { UserError } from '../../../core/user-error.ts';
import { findDeployment } from '../../deployment/deployment.ts';
import type { DeploymentOptions } from '../../deployment/options.ts';
import { configurationTables } from '../../deployment/tables.ts';
import type { JsonOption } from '../../options.ts';
import { printTo, type Terminal } from '../../terminal/terminal.ts';
import { identified, isFileName, readDraft, readText } from './draft.ts';
import { screens } from './screens.ts';

/**
 * Shows what customers see.
 *
 * @param name a client or a file.
 * @throws UserError that names what apps would not get.
 */
export async function preview(
  terminal: Terminal,
  name: string,
  { json, ...options }: DeploymentOptions & JsonOption,
): Promise<void> {
  const item = isFileName(name)
    ? identified(readDraft(name, await readText(name)))
    : await stored(name, options);
  const { configuration } = readConfiguration(item);
  const errors = checkConfiguration(item).filter(({ severity }) => severity === 'error');
  const print = printTo(terminal);
  if (json) print(JSON.stringify(configuration));
  else screens(configuration.fields).forEach(print);
  const lines = errors.map((error) => printable(findingText(error)));
  if (lines.length > 0) throw new UserError(lines.join('\n'), 'invalidConfiguration');
}

async function stored(clientId: string, options: DeploymentOptions) {
  using tables = configurationTables((await findDeployment(options)).outputs);
  return fileOf(await readStored(tables, clientId));
}

import { Command } from 'commander';
import { fileOf, readStored } from '../../../admin/configuration/stored-configuration.ts';
import { checkConfiguration } from '../../../core/configuration/check-configuration.ts';
import { readConfiguration } from '../../../core/configuration/read-configuration.ts';
import { findingText } from '../../../core/finding.ts';
import { printable } from '../../../core/text.ts';
import { UserError } from '../../../core/user-error.ts';
import { findDeployment } from '../../deployment/deployment.ts';
import { addDeploymentOptions, type DeploymentOptions } from '../../deployment/options.ts';
import { configurationTables } from '../../deployment/tables.ts';
import { addExamples, addJsonOption, CLIENT_ID, type JsonOption } from '../../options.ts';
import { printTo, type Terminal } from '../../terminal/terminal.ts';
import { identified, readDraftOf, readText } from '../config/draft.ts';
import { screens } from './screens.ts';

/** `./customer-data preview`: what customers see. */
export function previewCommand(terminal: Terminal): Command {
  const command = addJsonOption(addDeploymentOptions(new Command('preview')))
    .argument(...CLIENT_ID)
    .argument('[file]', 'a configuration in YAML to show instead of the live one')
    .action(
      async (
        clientId: string,
        file: string | undefined,
        { json, ...options }: DeploymentOptions & JsonOption,
      ) => {
        const item =
          file === undefined
            ? await stored(clientId, options)
            : identified({ ...readDraftOf(clientId, file, await readText(file)) });
        const { configuration } = readConfiguration(item);
        const errors = checkConfiguration(item).filter(({ severity }) => severity === 'error');
        const print = printTo(terminal);
        if (json) print(JSON.stringify(configuration));
        else screens(configuration.fields).forEach(print);
        const lines = errors.map((error) => printable(findingText(error)));
        if (lines.length > 0) throw new UserError(lines.join('\n'), 'invalidConfiguration');
      },
    );
  return addExamples(
    command,
    'preview demo --stack CustomerDataApi-prod',
    'preview demo demo.yaml',
  );
}

async function stored(clientId: string, options: DeploymentOptions) {
  using tables = configurationTables((await findDeployment(options)).outputs);
  return fileOf(await readStored(tables, clientId));
}

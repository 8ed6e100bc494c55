import type { Operation } from 'customer-data-api/operations';
import { HEADERS, headersOf, OPERATIONS } from 'customer-data-api/operations';
import type { LocalOutputs } from 'customer-data-api-deployment/local';
import type { Fault } from '../fault-switch.ts';

interface Options {
  readonly folder: string;
  readonly fault?: Fault | undefined;
  /** The address at which other machines call the API. */
  readonly host?: string | undefined;
}

/** Writes the message of a running local server: endpoints, and a call per operation to paste. */
export function banner(
  outputs: LocalOutputs,
  { folder, fault = 'none', host }: Options = { folder: '.local' },
): string {
  const { port } = new URL(outputs.ApiUrl);
  const token = `npm run --silent token${folder === '.local' ? '' : ` -- --folder ${folder}`}`;
  const { ApiUrl, ConsoleUrl, DynamoDbEndpoint } = outputs;
  const { ConfigsTableName, ConfigVersionsTableName } = outputs;
  const phones = `            http://10.0.2.2:${port} in an Android emulator
            adb reverse tcp:${port} tcp:${port} for an Android phone on USB`;
  return `
customer-data-api is running on this machine. Ctrl-C stops it.

  API       ${ApiUrl}
${host === undefined ? phones : `  Warning   everybody in the network of ${host} can call the API`}
${ConsoleUrl === undefined ? '' : `  Console   ${ConsoleUrl}\n`}  DynamoDB  ${DynamoDbEndpoint}
            ${ConfigsTableName}
            ${ConfigVersionsTableName}
            ${outputs.PromoEventsTableName}
  Token     ${outputs.TokenEndpoint}?user=jane for a page under development
            ${token}${folder === '.local' ? ' --' : ''} --user jane for another user
  Outputs   ${folder}/outputs.json
  Events    ${folder}/events.jsonl
${fault === 'none' ? '' : `  Fault     ${fault}; npm run fault changes it\n`}
Calls to paste into another terminal, in this folder:

${OPERATIONS.map((operation) => curl(ApiUrl, operation, token)).join('\n\n')}

`;
}

/** Writes a curl call of an operation, in lines of at most 80 characters. */
function curl(apiUrl: string, { path, example }: Operation, token: string): string {
  const headers = headersOf({
    idToken: `$(${token})`,
    appId: 'demo-app-key',
    deviceId: '00000000-0000-0000-0000-000000000000',
    requestDate: '$(date -u +%Y-%m-%dT%H:%M:%SZ)',
  });
  const options = Object.values(HEADERS).map(({ name }) => `  -H "${name}: ${headers[name]}" \\`);
  const properties = Object.entries(example.request).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return [
    `curl -sw '\\n' ${apiUrl}${path} \\`,
    ...options,
    `  -d '{${properties.join(',\n       ')}}'`,
  ].join('\n');
}

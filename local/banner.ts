import type { LocalOutputs } from './server.ts';

/** What is printed once the local server runs: where everything is, and two calls to paste into another terminal. */
export function banner(outputs: LocalOutputs, folder = '.local'): string {
  const token = `npm run --silent token${folder === '.local' ? '' : ` -- --folder ${folder}`}`;
  const { ApiUrl, DynamoDbEndpoint, ConfigsTableName, PromoEventsTableName } = outputs;
  return `
customer-data-api is running on this machine. Ctrl-C stops it.

  API       ${ApiUrl}
  DynamoDB  ${DynamoDbEndpoint}
            ${ConfigsTableName}
            ${PromoEventsTableName}
  Outputs   ${folder}/outputs.json

Two calls to paste into another terminal, in this folder:

${curl(`${ApiUrl}/customerData/getConfig`, token, { clientId: 'demo' })}

${curl(`${ApiUrl}/promoCode/apply`, token, {
  clientId: 'demo',
  promoCode: 'WELCOME10',
  userId: 'demo-user',
  eventType: 'promo_applied',
  source: 'profile',
})}

`;
}

function curl(url: string, token: string, body: Record<string, string>): string {
  const properties = Object.entries(body).map(([name, value]) => `"${name}":"${value}"`);
  return `curl -sw '\\n' ${url} \\
  -H "Authorization: Bearer $(${token})" \\
  -H 'Content-Type: application/json' -H 'App-Id: demo-app-key' \\
  -H 'Device-Id: 00000000-0000-0000-0000-000000000000' \\
  -H "Request-Date: $(date -u +%Y-%m-%dT%H:%M:%SZ)" \\
  -d '{${properties.join(',\n       ')}}'`;
}

import { expect, test } from 'vitest';
import { OPERATIONS } from '../../../functions/operations.ts';
import { banner } from '../../../local/banner.ts';

const outputs = {
  ApiUrl: 'http://127.0.0.1:65535',
  ConfigsTableName: 'CustomerDataApi-a-long-stage-name-20-TablesConfigsAE0FD689',
  ConfigVersionsTableName: 'CustomerDataApi-a-long-stage-name-20-TablesConfigVersions8A3F21C0',
  PromoEventsTableName: 'CustomerDataApi-a-long-stage-name-20-TablesPromoEvents4DA31598',
  PromoEventsQueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/Queue',
  PromoEventsBusDeadLetterQueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/Bus',
  EventBridgeEndpoint: 'http://127.0.0.1:8005',
  PromoEventsDeadLetterQueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/DeadLetter',
  PromoEventsBusName: 'Bus',
  Region: 'us-east-1',
  RequiresUserPoolClientIds: 'false',
  RetainsData: 'false',
  UserPoolId: 'us-east-1_UsersUserPool7E610616',
  UserPoolClientId: 'usersuserpoolappddbe3d50',
  UserIdClaim: 'sub',
  DynamoDbEndpoint: 'http://127.0.0.1:65535',
  SqsEndpoint: 'http://127.0.0.1:65535',
  JwksUri: 'http://127.0.0.1:65535/us-east-1_UsersUserPool7E610616/.well-known/jwks.json',
  FaultEndpoint: 'http://127.0.0.1:65535',
};

test('the banner fits into a terminal of 80 columns, and shows a fault', () => {
  const text = banner(outputs, '.local', 'table-down');
  expect(text).toContain('  Fault     table-down; npm run fault changes it\n');
  expect(banner(outputs)).not.toContain('Fault');
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('the banner has each endpoint and each table, and a call of each operation', () => {
  const text = banner({
    ...outputs,
    ...{ ApiUrl: 'http://api', DynamoDbEndpoint: 'http://db' },
    ...{ ConfigsTableName: 'Configs', ConfigVersionsTableName: 'Versions' },
    PromoEventsTableName: 'Events',
  });
  const [intro, ...calls] = text.split(/\n(?=curl )/);
  expect(calls).toHaveLength(OPERATIONS.length);
  expect(text).toMatch(/'\n\n$/);
  expect([intro, ...calls.slice(0, 2)].join('\n').trimEnd()).toMatchInlineSnapshot(`
    "
    customer-data-api is running on this machine. Ctrl-C stops it.

      API       http://api
      DynamoDB  http://db
                Configs
                Versions
                Events
      Outputs   .local/outputs.json
      Events    .local/events.jsonl

    Calls to paste into another terminal, in this folder:

    curl -sw '\\n' http://api/customerData/getConfig \\
      -H "Content-Type: application/json" \\
      -H "Authorization: Bearer $(npm run --silent token)" \\
      -H "App-Id: demo-app-key" \\
      -H "Device-Id: 00000000-0000-0000-0000-000000000000" \\
      -H "Request-Date: $(date -u +%Y-%m-%dT%H:%M:%SZ)" \\
      -d '{"clientId":"demo"}'

    curl -sw '\\n' http://api/promoCode/apply \\
      -H "Content-Type: application/json" \\
      -H "Authorization: Bearer $(npm run --silent token)" \\
      -H "App-Id: demo-app-key" \\
      -H "Device-Id: 00000000-0000-0000-0000-000000000000" \\
      -H "Request-Date: $(date -u +%Y-%m-%dT%H:%M:%SZ)" \\
      -d '{"clientId":"demo",
           "promoCode":"WELCOME10",
           "userId":"demo-user",
           "eventType":"promo_applied",
           "source":"profile"}'"
  `);
});

test('the banner names the files of the folder, and its calls take their token from there', () => {
  const text = banner(outputs, 'elsewhere');
  expect(text).toContain(
    '  Outputs   elsewhere/outputs.json\n  Events    elsewhere/events.jsonl\n',
  );
  expect(text).not.toContain('.local/');
  const withFolder = text.match(/\$\(npm run --silent token -- --folder elsewhere\)/g);
  expect(withFolder).toHaveLength(OPERATIONS.length);
  expect(banner(outputs).match(/\$\(npm run --silent token\)/g)).toHaveLength(OPERATIONS.length);
});

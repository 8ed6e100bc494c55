import { expect, test } from 'vitest';
import { OPERATIONS } from '../../../functions/operations.ts';
import { banner } from '../../../local/banner.ts';
import { OUTPUTS } from '../../support/outputs.ts';

const LOCAL = 'http://127.0.0.1:65535';
const outputs = {
  ...OUTPUTS,
  ...{ ApiUrl: LOCAL, DynamoDbEndpoint: LOCAL, EventBridgeEndpoint: LOCAL, SqsEndpoint: LOCAL },
  ...{ FaultEndpoint: LOCAL, JwksUri: LOCAL, RequiresUserPoolClientIds: 'false' },
  ...{
    RetainsData: 'false',
    ConfigsTableName: `${'CustomerDataApi-a-long-stage-name-20-Tables'}Configs`,
  },
};

test('the banner fits into 80 columns, and has a call of each operation and the fault', async () => {
  const text = banner(outputs, 'elsewhere', 'table-down');
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(text.split(/\n(?=curl )/)).toHaveLength(1 + OPERATIONS.length);
  await expect(text).toMatchFileSnapshot('golden/banner.txt');
});

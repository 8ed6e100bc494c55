import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Configuration,
  readConfiguration,
} from '../../core/configuration/read-configuration.ts';
import { successEnvelope } from '../../functions/http/envelope.ts';
import { responseDeviations } from '../../openapi/validation.ts';
import { storedFields, wireFields } from '../../test/support/configurations.ts';
import { DECODERS, type Driver, startDriver } from './driver.ts';

let drivers: readonly Driver[];
beforeAll(async () => {
  drivers = await Promise.all(DECODERS.map(startDriver));
});
afterAll(() => Promise.all(drivers.map((driver) => driver.stop())));

/** An item as an operator may write it. */
const item = fc.record({
  fields: fc.oneof(wireFields, storedFields, fc.anything()),
  lastFieldId: fc.oneof(fc.maxSafeInteger(), fc.anything()),
});

test('every client decodes any configuration, served from any item, to the same values', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(item, async (stored) => {
      const { configuration } = readConfiguration(stored);
      const body = successEnvelope(configuration, { warnings: [], notices: [] });
      // As it is on the wire.
      const sent = JSON.parse(JSON.stringify(body));
      expect(responseDeviations('/customData/getConfig', 200, sent)).toEqual([]);
      const expected = { value: sent.data, kinds: configuration.fields.map(kindOf) };
      const decode = (driver: Driver) => driver.decode('ConfigurationResult', sent.data);
      for (const decoded of await Promise.all(drivers.map(decode))) {
        expect(decoded).toEqual(expected);
      }
      for (const kind of expected.kinds) seen.add(kind);
    }),
    { numRuns: 500 },
  );
  expect([...seen].sort()).toEqual([
    'ComboField(DropSubField,DropSubField)',
    'ComboField(DropSubField,TextSubField)',
    'ComboField(TextSubField,DropSubField)',
    'ComboField(TextSubField,TextSubField)',
    'DropField',
    'TextField',
  ]);
});

type Field = Configuration['fields'][number];

/** The name of the schema of a field, with those of the inputs of a combination. */
function kindOf({ fieldType, subFieldA, subFieldB }: Field): string {
  if (fieldType !== 'combo') return { text: 'TextField', drop: 'DropField' }[fieldType];
  const inputs = [subFieldA, subFieldB].map(
    ({ subType }) => ({ text: 'TextSubField', drop: 'DropSubField' })[subType],
  );
  return `ComboField(${inputs})`;
}

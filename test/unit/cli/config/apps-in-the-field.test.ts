import fc from 'fast-check';
import { expect, test } from 'vitest';
import { undecodable } from '../../../../cli/config/apps-in-the-field.ts';
import { releasedDocuments, releaseOf } from '../../../../openapi/released-documents.ts';
import { DOCUMENT } from '../../../../openapi/validation.ts';
import { storedFields, wireFields } from '../../../support/configurations.ts';

const releases = await releasedDocuments();

test('apps of every release decode every configuration with integers of 32 bits that the service serves', () => {
  expect(releases.map(({ version }) => version)).toContain('0.1.0');
  const item = fc.record({
    fields: fc.oneof(wireFields, storedFields),
    lastFieldId: fc.oneof(fc.integer(), fc.anything()),
  });
  fc.assert(
    fc.property(item, (stored) => {
      fc.pre(!/:-?\d{10}/.test(JSON.stringify(stored)));
      expect(undecodable(stored, releases)).toEqual([]);
    }),
  );
});

/** A release whose field model allowed less than today's. */
// biome-ignore lint/suspicious/noExplicitAny: a JSON document, changed along its paths
function narrower(change: (schemas: any) => void) {
  const document = structuredClone(DOCUMENT);
  change(document.components.schemas);
  return releaseOf('0.0.9', document);
}

const text = {
  id: '1',
  fieldType: 'text',
  fieldName: 'Card number',
  mandatory: true,
  appUIs: ['register'],
  allowMultiple: false,
  subFieldA: { subType: 'text', allowCopies: true, alpha: true, numbers: true, symbols: false },
};
const fields = [20, 10, 30].map((maxChars, index) => ({
  ...text,
  id: String(index),
  subFieldA: { ...text.subFieldA, maxChars },
}));

test('each field that apps of a release cannot decode is named', () => {
  const release = narrower(({ TextSubField }) => {
    TextSubField.properties.maxChars.maximum = 10;
  });
  expect(undecodable({ fields, lastFieldId: 3 }, [release])).toEqual(
    [0, 2].map((index) => ({
      severity: 'advice',
      path: ['fields', index],
      message: 'apps built for 0.0.9 cannot decode this',
    })),
  );
});

test('a kind of field that apps of a release do not know is named', () => {
  const release = narrower(({ Field }) => Field.oneOf.shift());
  expect(undecodable({ fields: fields.slice(0, 1), lastFieldId: 1 }, [release])).toHaveLength(1);
});

test('a lastFieldId that apps of a release cannot decode is named', () => {
  const release = narrower(({ Configuration }) => {
    Configuration.properties.lastFieldId.maximum = 2;
  });
  const [finding, ...others] = undecodable({ fields, lastFieldId: 3 }, [release]);
  expect(finding?.path).toEqual(['lastFieldId']);
  expect(others).toEqual([]);
});

test('a field that the service leaves out breaks no app', () => {
  const release = narrower(({ Field }) => Field.oneOf.shift());
  const item = { fields: [{ ...text, mandatory: 'yes' }], lastFieldId: 1 };
  expect(undecodable(item, [release])).toEqual([]);
});

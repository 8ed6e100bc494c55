import { describe, expect, test } from 'vitest';
import { PROMO_EVENTS_PIPE } from '../../../lib/published-events.ts';
import { transformation } from '../../../local/pipe-transformation.ts';

const NewImage = { kind: { S: 'applied' }, userId: { S: '"},{"$&' } };
const record = { eventName: 'INSERT', dynamodb: { NewImage } };

describe("the project's pipe", () => {
  const transform = transformation(PROMO_EVENTS_PIPE);

  test('makes an event of a new item, with the unchanged item and its kind', () => {
    const { source, detailType, detail = '' } = transform(record) ?? {};
    expect([source, detailType]).toEqual(['customer-data-api.promo-events', 'applied']);
    expect(JSON.parse(detail)).toEqual({ version: '1', item: NewImage });
  });

  test.each(['MODIFY', 'REMOVE'])('makes none of a %s', (eventName) => {
    expect(transform({ ...record, eventName })).toBeUndefined();
  });

  test.each([{}, { kind: { N: '1' } }])('leaves out the detail type of %j', (image) => {
    const entry = transform({ ...record, dynamodb: { NewImage: image } });
    expect(entry).toEqual(expect.objectContaining({ detailType: undefined }));
  });
});

describe('a pipe', () => {
  test('without filters lets every record through', () => {
    const transform = transformation({ ...PROMO_EVENTS_PIPE, filters: [] });
    expect(transform({ ...record, eventName: 'MODIFY' })).toBeDefined();
  });

  test('puts values where its template has paths, in lists too', () => {
    const inputTemplate = '{"all":[<$.eventName>,<$.dynamodb.NewImage>,<$.eventName>],"of":1}';
    const { detail = '' } = transformation({ ...PROMO_EVENTS_PIPE, inputTemplate })(record) ?? {};
    expect(JSON.parse(detail)).toEqual({ all: ['INSERT', NewImage, 'INSERT'], of: 1 });
  });

  test('lets a record through that matches one of its filters', () => {
    const filters = ['MODIFY', 'INSERT'].map((name) => JSON.stringify({ eventName: [name] }));
    expect(transformation({ ...PROMO_EVENTS_PIPE, filters })(record)).toBeDefined();
  });

  test.each([
    { source: '$.eventSource' },
    { detailType: 'applied' },
    { detailType: '$.dynamodb.NewImage[0]' },
    { inputTemplate: '{"user":"<$.dynamodb.NewImage.userId.S>"}' },
    { inputTemplate: '{"time":<aws.pipes.event.ingestion-time>}' },
    { inputTemplate: '{"user":"$.dynamodb.NewImage.userId.S"}' },
  ])('with a form that is not known here is refused: %j', (own) => {
    expect(() => transformation({ ...PROMO_EVENTS_PIPE, ...own })).toThrow(
      'The local server does not know this form of a pipe',
    );
  });
});

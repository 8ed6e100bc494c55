import { expect, test } from 'vitest';
import { nameOf } from '../../functions/api/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { QUEUE_FUNCTION, RECORDING_FUNCTION } from '../../lib/function-names.ts';
import { readDocument } from '../support/documents/document.ts';
import { templateFor } from '../support/stack.ts';

/*
 * What those on call read when they run a saved query. `test/integration/api/secrets.test.ts` compares the messages and
 * fields with those of the log.
 */

/** What a query reads and shows. */
interface Query {
  /** The messages of the lines that it reads, or their starts. */
  readonly messages: readonly string[];
  /** The columns, in their order; those after `by` are the groups. */
  readonly shows: string;
  /** Which line comes first. */
  readonly sort?: string;
}

const QUERIES: Readonly<Record<string, Query>> = {
  failed: {
    messages: ['Request failed'],
    shows:
      'count(*) as lines, sum(suppressed) as notLogged, latest(@timestamp) as last by service, code, error.name, error.message',
    sort: 'lines desc',
  },
  refused: {
    messages: ['Request refused'],
    shows: 'count(*) as lines, sum(suppressed) as notLogged by service, code, clientId, why',
    sort: 'lines desc',
  },
  configurations: {
    messages: ['Configuration to correct', 'Every request of the client is refused'],
    shows: 'latest(@timestamp) as last by clientId, version, errors, what',
    sort: 'last desc',
  },
  outside: {
    messages: ['A change from outside harmed a client'],
    shows: '@timestamp, clientId, version, @message',
    sort: '@timestamp desc',
  },
  promoEvents: {
    messages: [
      'A message is not a promo event',
      'A promo event stays in the queue',
      'The table did not store a promo event',
    ],
    shows: 'count(*) as lines, latest(@timestamp) as last by message, clientId, why',
    sort: 'lines desc',
  },
  request: {
    messages: [],
    shows: '@timestamp, service, message, statusCode, code, clientId, @message',
  },
};
/** The columns that a query makes of several fields: the first of them that a line has. */
const OF_FIELDS: Readonly<Record<string, string>> = {
  refused: 'coalesce(reason, problems.0) as why',
  configurations: 'coalesce(findings.0, attribute) as what',
  promoEvents: 'coalesce(problem, error.message) as why',
};

const template = templateFor();
const saved = new Map(
  Object.values(template.findResources('AWS::Logs::QueryDefinition')).map(({ Properties }) => [
    String(Properties.Name),
    Properties,
  ]),
);

test('saved queries are in a folder of the stack, and search the log of each function', () => {
  expect([...saved.keys()].sort()).toEqual(
    Object.keys(QUERIES)
      .map((name) => `CustomerDataApi-test/${name}`)
      .sort(),
  );
  const functions = [...OPERATIONS.map(nameOf), QUEUE_FUNCTION, RECORDING_FUNCTION];
  for (const { LogGroupNames } of saved.values()) {
    expect(LogGroupNames).toEqual(
      functions.map((name) => ({ Ref: expect.stringMatching(`^${name}Logs[0-9A-F]{8}$`) })),
    );
  }
});

test.each(Object.entries(QUERIES))(
  'the saved query %s shows what the runbook asks of it, in that order',
  async (name, { messages, shows, sort }) => {
    const query: string = saved.get(`CustomerDataApi-test/${name}`)?.QueryString;
    const parts = new Map(
      query.split(/\n\| /).map((line) => [line.replace(/ .*/, ''), line.replace(/^\w+ /, '')]),
    );
    const filter = parts.get('filter') ?? '';
    const found = [...filter.matchAll(/"([A-Z][^"]+)"|\/\^([^/]+)\//g)];
    expect(found.map(([, whole, start]) => whole ?? start).sort()).toEqual(messages);
    const { rows = [] } =
      (await readDocument('docs/runbook.md')).tables.find(
        ({ header }) => header[0] === 'message',
      ) ?? {};
    for (const message of messages) {
      expect(rows.some(([cell]) => cell?.startsWith(`\`${message}`))).toBe(true);
    }
    expect(parts.get('stats') ?? parts.get('fields')).toBe(shows);
    if (parts.has('stats')) expect(parts.get('fields')).toBe(OF_FIELDS[name]);
    expect(parts.get('sort')).toBe(sort);
  },
);

test('the saved query request asks for the id that the caller got', () => {
  expect(saved.get('CustomerDataApi-test/request')?.QueryString).toContain(
    'filter requestId = "<x-amzn-RequestId of the response>"',
  );
});

import {
  type EventBridgeClient,
  ListRulesCommand,
  type Rule,
  TestEventPatternCommand,
} from '@aws-sdk/client-eventbridge';
import { PROMO_EVENTS_SOURCE } from 'customer-data-api/promo-events';
import { eventBridgeClient } from 'customer-data-api-deployment';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import { type CheckResult, firstNames, note, ok, problem } from './results.ts';

/**
 * Finds rules of a bus that wait for promo events of version 1, which had the item in DynamoDB's
 * JSON: they match nothing, and nobody is told. EventBridge itself says what they match. Rules on
 * buses of other accounts are out of sight.
 */
export async function* checkBusRules(
  place: Partial<Outputs>,
  bus: string | undefined,
): AsyncGenerator<CheckResult> {
  if (bus === undefined) return yield note('There is no event bus yet.');
  using client = eventBridgeClient(place);
  const rules: string[] = [];
  for await (const { Name = '', EventPattern = '{}' } of rulesOf(client, bus)) {
    if (await isOld(client, JSON.parse(EventPattern))) rules.push(Name);
  }
  if (rules.length === 0)
    return yield ok('No rule of the event bus waits for events of version 1.');
  yield {
    ...problem(
      `Rules of the event bus that match no event of version 2: ${firstNames(rules, 'other rule')}. They ask for detail.item or version 1. Change their patterns: docs/promo-events.md#subscribe`,
      'oldRules',
    ),
    facts: { rules },
  };
}

async function* rulesOf(client: EventBridgeClient, EventBusName: string): AsyncGenerator<Rule> {
  let next: string | undefined;
  do {
    const { Rules = [], NextToken } = await client.send(
      new ListRulesCommand({ EventBusName, NextToken: next }),
    );
    yield* Rules;
    next = NextToken;
  } while (next);
}

/** What tells promo events from those of others. */
const ENVELOPE = ['source', 'detail-type'];
const VERSION = 'detail.version';
const ITEM = 'detail.item';

/**
 * Tells whether a pattern for promo events matches none of version 2, and asks for version 1 or its
 * item. Whatever it asks for in an item, some item may have had.
 */
async function isOld(client: EventBridgeClient, pattern: object): Promise<boolean> {
  if (isEmpty(part(pattern, [VERSION, ITEM]))) return false;
  const ofVersion2 = part(pattern, [...ENVELOPE, VERSION, ITEM]);
  if (await matches(client, ofVersion2, { version: '2' })) return false;
  const ofVersion1 = part(pattern, [
    ...ENVELOPE,
    ...(isEmpty(part(pattern, [ITEM])) ? [VERSION] : []),
  ]);
  return await matches(client, ofVersion1, { version: '1' });
}

/**
 * Returns the conditions of a pattern that are about some paths, and what is below them. The events
 * of a version can meet all others.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
function part(pattern: object, paths: readonly string[], above = ''): Record<string, unknown> {
  const parts = Object.entries(pattern).map(([key, value]) => {
    const path = `${above}${key}`;
    if (paths.includes(path)) return [key, value];
    if (key === '$or') {
      const choices = [value].flat().map((one) => part(one, paths, above));
      return [key, choices.some(isEmpty) ? {} : choices];
    }
    return [key, Array.isArray(value) ? {} : part(value, paths, `${path}.`)];
  });
  return Object.fromEntries(parts.filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return Object.keys(Object(value)).length === 0;
}

/** Tells whether a pattern matches a promo event with a detail. */
async function matches(
  client: EventBridgeClient,
  pattern: object,
  detail: object,
): Promise<boolean> {
  if (isEmpty(pattern)) return true;
  for (const detailType of ['applied', 'repeated']) {
    const event = {
      id: '1',
      account: '123456789012',
      source: PROMO_EVENTS_SOURCE,
      time: '2026-11-20T09:30:00Z',
      region: 'us-east-1',
      resources: [],
      'detail-type': detailType,
      detail,
    };
    const { Result } = await client.send(
      new TestEventPatternCommand({
        EventPattern: JSON.stringify(pattern),
        Event: JSON.stringify(event),
      }),
    );
    if (Result) return true;
  }
  return false;
}

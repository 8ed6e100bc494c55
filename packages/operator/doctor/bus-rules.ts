import { EventBridgeClient, ListRulesCommand, type Rule } from '@aws-sdk/client-eventbridge';
import { PROMO_EVENTS_SOURCE } from 'customer-data-api/promo-events';
import { named } from 'customer-data-api-deployment';
import { type CheckResult, firstOf, note, ok, problem } from './results.ts';

/**
 * Finds rules of a bus that wait for promo events of version 1, which had the item in DynamoDB's
 * JSON: they match nothing, and nobody is told. Rules on buses of other accounts are out of sight.
 */
export async function* checkBusRules(
  region: string,
  bus: string | undefined,
): AsyncGenerator<CheckResult> {
  if (bus === undefined) return yield note('There is no event bus yet.');
  const rules: string[] = [];
  for await (const { Name = '', EventPattern = '{}' } of rulesOf(region, bus)) {
    const pattern: unknown = JSON.parse(EventPattern);
    if (isForPromoEvents(pattern) && !canMatch(pattern)) rules.push(Name);
  }
  if (rules.length === 0)
    return yield ok('No rule of the event bus waits for events of version 1.');
  yield {
    ...problem(
      `Rules of the event bus that match no event of version 2: ${firstOf(rules, 'other rule')}. They ask for detail.item or version 1. Change their patterns: docs/promo-events.md#subscribe`,
      'oldRules',
    ),
    facts: { rules },
  };
}

async function* rulesOf(region: string, EventBusName: string): AsyncGenerator<Rule> {
  using client = named('events', new EventBridgeClient({ region }));
  let next: string | undefined;
  do {
    const { Rules = [], NextToken } = await client.send(
      new ListRulesCommand({ EventBusName, NextToken: next }),
    );
    yield* Rules;
    next = NextToken;
  } while (next);
}

/** Other services of a team may put events of their own on the bus. */
function isForPromoEvents(pattern: unknown): boolean {
  const { source = [PROMO_EVENTS_SOURCE] } = Object(pattern);
  return source.some((one: unknown) => one === PROMO_EVENTS_SOURCE || typeof one === 'object');
}

/**
 * Returns whether a pattern can match an event of version 2, as far as the version and
 * `detail.item` decide it.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
function canMatch(pattern: unknown, path = ''): boolean {
  if (Array.isArray(pattern)) return pattern.some((value) => canBe(value, path));
  return Object.entries(Object(pattern)).every(([key, part]) =>
    key === '$or' && Array.isArray(part)
      ? part.some((one) => canMatch(one, path))
      : canMatch(part, `${path}.${key}`),
  );
}

function canBe(value: unknown, path: string): boolean {
  if (`${path}.`.startsWith('.detail.item.')) return Object(value).exists === false;
  return path !== '.detail.version' || !isVersion1(value);
}

const isVersion1 = (value: unknown) =>
  value === '1' ||
  ['prefix', 'suffix', 'equals-ignore-case', 'wildcard'].some((how) => Object(value)[how] === '1');

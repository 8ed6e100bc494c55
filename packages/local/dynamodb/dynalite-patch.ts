import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { canonicalJson } from 'customer-data-api/history';
import db from 'dynalite/db/index.js';
import { types as putItemTypes } from 'dynalite/validations/putItem.js';

type Item = Readonly<Record<string, AttributeValue>>;
/** The path to a value in an item: names and indexes. */
type Path = readonly (string | number)[];

/** A condition as dynalite parses it. */
interface Condition {
  readonly type: string;
  readonly args: readonly (Condition | Path | AttributeValue)[];
}

interface ConditionalWrite {
  readonly ReturnValuesOnConditionCheckFailure?: string;
  readonly _condition?: { readonly expression: Condition };
}

/** A condition that always holds, and one that never does. */
const HOLDS: Condition = { type: '=', args: [{ BOOL: true }, { BOOL: true }] };
const FAILS: Condition = { type: '<>', args: [{ BOOL: true }, { BOOL: true }] };

/**
 * Makes dynalite check conditions as DynamoDB does. By itself it compares lists and maps by
 * identity: a write on condition that a list is unchanged would always fail. And it never returns
 * the item of which the condition of a `PutItem` failed.
 */
export function patchConditions(): void {
  putItemTypes.ReturnValuesOnConditionCheckFailure = { type: 'String', enum: ['ALL_OLD', 'NONE'] };
  const { checkConditional } = db;
  db.checkConditional = (write: ConditionalWrite, item: Item | undefined) => {
    const { _condition: condition, ReturnValuesOnConditionCheckFailure: returned } = write;
    if (!condition) return checkConditional(write, item);
    const expression = withoutComparisons(condition.expression, item ?? {});
    const error = checkConditional({ ...write, _condition: { ...condition, expression } }, item);
    if (error && item && returned === 'ALL_OLD') Object.assign(error.body, { Item: item });
    return error;
  };
}

/** Replaces each comparison of two lists or maps with its result. */
function withoutComparisons(condition: Condition, item: Item): Condition {
  const { type, args } = condition;
  if (['and', 'or', 'not'].includes(type)) {
    return { type, args: args.map((arg) => withoutComparisons(arg as Condition, item)) };
  }
  if (type !== '=' && type !== '<>') return condition;
  const [one, other] = args.map((arg) =>
    Array.isArray(arg) ? db.mapPath(arg, item) : (arg as AttributeValue),
  );
  if (!isContainer(one) || !isContainer(other)) return condition;
  return (canonicalJson(one) === canonicalJson(other)) === (type === '=') ? HOLDS : FAILS;
}

function isContainer(value: AttributeValue | undefined): value is AttributeValue {
  return value !== undefined && ('L' in value || 'M' in value);
}

import { answersSchema, type ClientConfiguration } from '../../src/answers-schema.ts';
import {
  type AppUi,
  answersToStore,
  checkAnswers,
  fieldsFor,
  type Instance,
} from '../../src/index.ts';
import vectors from '../../test-vectors/fields.json' with { type: 'json' };

/* What a schema of answers must say of the answers of the test vectors, and of others. */

const CONFIGURATION = {
  // Fields of kinds that only later releases know.
  ...(vectors.configuration as unknown as Pick<ClientConfiguration, 'fields'>),
  clientId: 'a shop#1',
  configVersion: 'abc',
};

const SCREENS = (['register', 'profile'] satisfies AppUi[]).map((ui) => ({
  schema: answersSchema(CONFIGURATION, ui),
  fields: fieldsFor(CONFIGURATION, ui),
}));
export const SCHEMAS = SCREENS.map(({ schema }) => schema);

/** The fields of both screens, with the place of the schema in `SCHEMAS`. */
export const FIELDS = SCREENS.flatMap(({ fields }, screen) =>
  fields.map((field) => ({ field, screen })),
);

/** Valid answers to the mandatory fields. */
const OTHERS = { name: [['Ann']], sizes: [['s']], car: [['vw', 'A 1']], shop: [['north']] };

/** Answers that a schema accepts or refuses. */
export interface SchemaCase {
  readonly screen: number;
  readonly answers: Readonly<Record<string, readonly Instance[]>>;
  /** Undefined if it may do both. */
  readonly isValid: boolean | undefined;
}

/** Returns the cases of what a customer enters into a field: as it is stored, and as it is. */
export function casesOf(
  { field, screen }: (typeof FIELDS)[number],
  entered: readonly Instance[],
): SchemaCase[] {
  const { id, inputs } = field;
  const stored = answersToStore(field, entered);
  // What no schema says: no copies in one input of several, and normal form C.
  const isGood = checkAnswers(field, entered).every(
    ({ code }) => code === 'copy' && inputs.length > 1,
  );
  const isNormal = entered.flat().every((one) => one === one.normalize());
  const isStored = isNormal && JSON.stringify(stored) === JSON.stringify(entered);
  const answers = (rows: readonly Instance[]) => ({ ...OTHERS, [id]: rows });
  return [
    { screen, answers: answers(stored), isValid: isGood },
    { screen, answers: answers(entered), isValid: isNormal ? isGood && isStored : undefined },
  ];
}

export const VECTOR_CASES = vectors.answers.flatMap(({ field: id, instances }) =>
  FIELDS.filter(({ field }) => field.id === id).flatMap((one) => casesOf(one, instances)),
);

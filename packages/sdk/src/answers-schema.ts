import {
  type AppUi,
  type FormField,
  fieldsFor,
  forbiddenCharacters,
  PARTS,
  UNSEEN,
} from './fields.ts';
import type { Configuration, SubField } from './types.ts';

export type { AppUi } from './fields.ts';

/** A configuration of a client, in any of its languages. */
export interface ClientConfiguration extends Pick<Configuration, 'fields' | 'configVersion'> {
  readonly clientId: string;
}

/** A JSON Schema of the draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A text as it is stored: it begins with a character that is seen, as does what follows a space,
 * and does not end with a space. Without lookaround and `\u`, so that RE2 takes it.
 */
const SEEN = `[^\\p{Zs}${UNSEEN}${PARTS}][^\\p{Zs}${UNSEEN}]*`;
const TEXT = `^(?:${SEEN}(?:\\p{Zs}+${SEEN})*)?$`;

const UNCHECKED =
  'Not checked, because no schema can: that texts have the normal form C of Unicode, and that an input without allowCopies has no copies, if instances have other answers, too.';

/**
 * Returns the JSON Schema of the answers that `answersToStore` returns and `checkAnswers` accepts,
 * by the `id` of the field, to check them in any language. The mandatory fields of the screen are
 * required. Answers to other fields have only their form checked.
 */
export function answersSchema(configuration: ClientConfiguration, ui: AppUi): JsonSchema {
  const { clientId, configVersion } = configuration;
  const fields = fieldsFor(configuration, ui);
  const names = [clientId, configVersion ?? '', ui].map(encodeURIComponent);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    // Without the version, two schemas would have one id.
    ...(configVersion && { $id: `urn:customer-data-api:answers:${names.join(':')}` }),
    $comment: UNCHECKED,
    $defs: { text: { type: 'string', pattern: TEXT } },
    type: 'object',
    required: fields.flatMap(({ id, mandatory }) => (mandatory ? id : [])),
    properties: Object.fromEntries(fields.map((field) => [field.id, fieldSchema(field)])),
    additionalProperties: {
      type: 'array',
      items: { type: 'array', items: { type: 'string' } },
    },
  };
}

function fieldSchema({ inputs, mandatory, allowMultiple }: FormField): JsonSchema {
  const mayBeEmpty = !mandatory && inputs.length > 1;
  return {
    type: 'array',
    ...(mandatory && { minItems: 1 }),
    ...(!allowMultiple && { maxItems: 1 }),
    ...(inputs.every(({ allowCopies }) => !allowCopies) && { uniqueItems: true }),
    items: {
      type: 'array',
      minItems: inputs.length,
      prefixItems: inputs.map((input) => inputSchema(input, mayBeEmpty)),
      // Answers to inputs that the field no longer has.
      items: { type: 'string' },
      ...(mayBeEmpty && { not: { prefixItems: inputs.map(() => ({ const: '' })) } }),
    },
  };
}

function inputSchema(input: SubField, mayBeEmpty: boolean): JsonSchema | false {
  if (input.subType === 'drop') {
    const values = new Set(input.optionsArray.map(({ value }) => value)).add('');
    if (!mayBeEmpty) values.delete('');
    return values.size > 0 && { enum: [...values] };
  }
  return {
    type: 'string',
    $ref: '#/$defs/text',
    ...(!mayBeEmpty && { minLength: 1 }),
    maxLength: input.maxChars,
    not: { pattern: `[${forbiddenCharacters(input)}]` },
  };
}

/**
 * What operators write is less than what apps are sent: this completes a stored field with what follows from the rest
 * of it. It judges nothing. What has another type than it should have stays as it is, for the field model to refuse.
 */

type StoredMap = Readonly<Record<string, unknown>>;

/** A stored field with every derivable attribute in place; null when it is no map. */
export function completeField(stored: unknown): unknown {
  if (!isMap(stored)) return null;
  const { appUIs, allowMultiple, ...field } = stored;
  const isCombo = field.fieldType === 'combo';
  return {
    ...field,
    ...present({ appUIs: appUIs instanceof Set ? [...appUIs] : appUIs, allowMultiple }),
    addButtonText: field.addButtonText ?? '',
    subFieldA: completeSubField(field.subFieldA),
    subFieldB: isCombo ? completeSubField(field.subFieldB) : derived({}, field.subFieldB),
  };
}

function completeSubField(stored: unknown): unknown {
  if (!isMap(stored)) return null;
  const subField = { ...stored, placeHolderText: stored.placeHolderText ?? '' };
  if (stored.subType === 'text') {
    return {
      ...subField,
      options: derived('', stored.options),
      optionsArray: derived([], stored.optionsArray),
    };
  }
  if (stored.subType === 'drop') {
    const optionsArray = Array.isArray(stored.optionsArray)
      ? stored.optionsArray.map((option) => (isMap(option) ? option : null))
      : stored.optionsArray;
    return {
      ...subField,
      alpha: derived(false, stored.alpha),
      numbers: derived(false, stored.numbers),
      symbols: derived(false, stored.symbols),
      options: derived(optionLines(optionsArray), stored.options),
      optionsArray,
    };
  }
  return subField;
}

/** The `options` string of a dropdown: one `<display>:<value>` line for each option (spec, "SubField object"). */
function optionLines(optionsArray: unknown): string {
  if (!Array.isArray(optionsArray)) return '';
  return optionsArray
    .flatMap((option) =>
      typeof option?.display === 'string' && typeof option.value === 'string'
        ? `${option.display}:${option.value}`
        : [],
    )
    .join('\n');
}

/** A derived value takes the place of what is stored, unless that is of another type: then somebody meant something. */
function derived(value: unknown, stored: unknown): unknown {
  if (stored === undefined || stored === null) return value;
  if (Array.isArray(value)) return Array.isArray(stored) ? value : stored;
  if (isMap(value)) return isMap(stored) ? value : null;
  return typeof stored === typeof value ? value : stored;
}

/** The entries that are there; NULL, as a console may leave it behind, counts as absent. */
function present(attributes: StoredMap): StoredMap {
  return Object.fromEntries(
    Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null),
  );
}

/**
 * True for a DynamoDB map, and for none of the other types that are objects in JavaScript (list, set, binary), nor for
 * a map whose attribute `__proto__` has become its prototype.
 */
function isMap(value: unknown): value is StoredMap {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

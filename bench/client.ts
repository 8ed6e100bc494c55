/** A client of the service with so many fields, as an operator would store it. */
export function clientWith(clientId: string, fields: number) {
  return {
    clientId,
    appIds: ['demo-app-key'],
    fields: Array.from({ length: fields }, (_, index) => field(index + 1)),
    lastFieldId: fields,
  };
}

/** With 1,000 fields an item has nearly the 400 KB that DynamoDB takes. */
const PLACEHOLDER = 'x'.repeat(190);

function field(id: number) {
  return {
    id: String(id),
    fieldType: 'text',
    mandatory: false,
    appUIs: ['register', 'profile'],
    fieldName: `Field ${id}`,
    allowMultiple: false,
    addButtonText: '',
    subFieldA: {
      subType: 'text',
      placeHolderText: PLACEHOLDER,
      allowCopies: false,
      alpha: true,
      numbers: true,
      symbols: false,
      maxChars: 40,
    },
  };
}

/** The App-Id of every client in the environment. */
export const APP_ID = 'demo-app-key';

/** Ten fields are a common size. */
const FIELDS = 10;
const PLACEHOLDER = 'x'.repeat(190);

/**
 * A client's item in the Configs table.
 *
 * @param language a language into which its fields are translated.
 */
export function clientRecord(clientId: string, language?: string) {
  return {
    clientId,
    appIds: [APP_ID],
    fields: Array.from({ length: FIELDS }, (_, index) => ({
      ...field(index + 1),
      ...(language && { translations: { [language]: translation(index + 1) } }),
    })),
    lastFieldId: FIELDS,
    ...(language && { language: 'en' }),
  };
}

function translation(id: number) {
  return { fieldName: `Feld ${id}`, subFieldA: { placeHolderText: PLACEHOLDER } };
}

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

/** The App-Id of every client in the environment. */
export const APP_ID = 'demo-app-key';

/**
 * A client's item in the Configs table.
 *
 * @param fields how many fields its configuration has.
 * @param language a language into which they are translated.
 * @param rollout whether all devices get another configuration, which is the same.
 */
export function clientRecord(
  clientId: string,
  fields: number,
  { language, rollout }: { readonly language?: string; readonly rollout?: string } = {},
) {
  const content = {
    fields: Array.from({ length: fields }, (_, index) => ({
      ...field(index + 1),
      ...(language && { translations: { [language]: translation(index + 1) } }),
    })),
    lastFieldId: fields,
    ...(language && { language: 'en' }),
  };
  return {
    clientId,
    appIds: [APP_ID],
    ...content,
    ...(rollout && { rollout: { ...content, id: 'bench', percent: 100 } }),
  };
}

/** With this text in each of 1,000 fields, an item has nearly DynamoDB's maximum of 400 KB. */
const PLACEHOLDER = 'x'.repeat(190);

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

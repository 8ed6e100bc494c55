/**
 * What DynamoDB answers in a rehearsal, in its JSON: the item of a client with one field, which needs no correction, and what an
 * update returns.
 */
export const REHEARSED_ANSWER = {
  Item: {
    clientId: { S: 'rehearsal' },
    appIds: { SS: ['rehearsal'] },
    userPoolClientIds: { SS: ['rehearsal'] },
    fields: {
      L: [
        {
          M: {
            id: { S: '1' },
            fieldType: { S: 'text' },
            mandatory: { BOOL: false },
            appUIs: { L: [{ S: 'register' }] },
            fieldName: { S: 'rehearsal' },
            allowMultiple: { BOOL: false },
            addButtonText: { S: '' },
            subFieldA: {
              M: {
                subType: { S: 'text' },
                placeHolderText: { S: 'rehearsal' },
                allowCopies: { BOOL: false },
                alpha: { BOOL: true },
                numbers: { BOOL: true },
                symbols: { BOOL: false },
                maxChars: { N: '40' },
              },
            },
          },
        },
      ],
    },
    lastFieldId: { N: '1' },
  },
  Attributes: { requestDate: { S: 'rehearsal' } },
};

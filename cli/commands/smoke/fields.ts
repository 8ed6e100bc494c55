/**
 * The fields of the client created for the checks: one of each type, without the attributes that
 * may be left out.
 */
export const STORED_FIELDS = [
  {
    id: '1',
    fieldType: 'text',
    fieldName: 'Company',
    mandatory: false,
    appUIs: ['register', 'profile'],
    allowMultiple: false,
    subFieldA: textInput(),
  },
  {
    id: '2',
    fieldType: 'drop',
    fieldName: 'Contact',
    mandatory: true,
    appUIs: ['profile'],
    allowMultiple: true,
    addButtonText: 'Another',
    subFieldA: dropdown(),
  },
  {
    id: '3',
    fieldType: 'combo',
    fieldName: 'Both',
    mandatory: false,
    subFieldA: dropdown(),
    subFieldB: textInput(),
  },
];

function textInput() {
  const permitted = { alpha: true, numbers: true, symbols: false };
  return { subType: 'text', allowCopies: false, maxChars: 40, ...permitted };
}

function dropdown() {
  const optionsArray = [
    { value: 'm', display: 'By mail' },
    { value: 'p', display: 'By phone' },
  ];
  return { subType: 'drop', placeHolderText: 'Choose', allowCopies: true, optionsArray };
}

/** The same fields as apps receive them, in the full shape of the spec. */
export const ANSWERED_FIELDS = (() => {
  const text = { ...textInput(), placeHolderText: '', options: '', optionsArray: [] };
  const permitted = { alpha: false, numbers: false, symbols: false };
  const drop = { ...dropdown(), ...permitted, options: 'By mail:m\nBy phone:p' };
  const [first, second, third] = STORED_FIELDS;
  return [
    { ...first, addButtonText: '', subFieldA: text, subFieldB: {} },
    { ...second, subFieldA: drop, subFieldB: {} },
    { ...third, addButtonText: '', subFieldA: drop, subFieldB: text },
  ];
})();

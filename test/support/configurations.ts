/** The configuration of a client with a field of each kind, without any finding of the check. As YAML. */
export const PIZZA = `clientId: pizza
lastFieldId: 3
fields:
  - id: "1"
    fieldType: drop
    fieldName: Favourite pizza
    mandatory: false
    appUIs: [profile]
    allowMultiple: true
    addButtonText: Add another
    subFieldA:
      subType: drop
      placeHolderText: Choose one
      allowCopies: false
      optionsArray:
        - { value: m, display: Margherita }
        - { value: f, display: Funghi }
  - id: "2"
    fieldType: text
    fieldName: Membership number
    mandatory: true
    appUIs: [register, profile]
    allowMultiple: false
    subFieldA:
      subType: text
      placeHolderText: "12345678"
      allowCopies: false
      alpha: false
      numbers: true
      symbols: false
      maxChars: 8
  - id: "3"
    fieldType: combo
    fieldName: Car
    mandatory: false
    subFieldA:
      subType: drop
      placeHolderText: Make
      allowCopies: true
      optionsArray:
        - { value: v, display: Volvo }
    subFieldB:
      subType: text
      placeHolderText: Model
      allowCopies: true
      alpha: true
      numbers: true
      symbols: true
      maxChars: 20
`;

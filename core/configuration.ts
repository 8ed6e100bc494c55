export { authorName } from './author-name.ts';
export { exactNumber } from './aws/exact-number.ts';
export {
  assignIds,
  highestId,
  highestIdIn,
  type Identified,
  MOST_REMOVED_FIELDS,
  plausibleLastFieldId,
} from './configuration/assign-ids.ts';
export { ATTRIBUTES } from './configuration/attributes.ts';
export { checkConfiguration, checkPublication } from './configuration/check-configuration.ts';
export { checkTag, languageName } from './configuration/check-translations.ts';
export { completeField, DERIVED } from './configuration/complete-field.ts';
export { withoutDerived } from './configuration/derived-attributes.ts';
export { Field, SubField, Translation } from './configuration/field.ts';
export { isEqual } from './configuration/is-equal.ts';
export { MAX_ITEM_LEVELS, nestsDeeper } from './configuration/item-size.ts';
export {
  entryOf,
  FIELD_KINDS,
  type FieldKind,
  hasOptions,
  type InputKind,
  type InputName,
  inputsOf,
} from './configuration/kinds.ts';
export { languageTag } from './configuration/languages.ts';
export {
  readConfiguration,
  readLastFieldId,
  translateConfiguration,
} from './configuration/read-configuration.ts';
export { readField } from './configuration/read-field.ts';
export { isPreview, type Rollout, shareText } from './configuration/rollout.ts';
export {
  attributeOf,
  idOf,
  isMap,
  listOf,
  mapIn,
  mapOf,
  type StoredMap,
} from './configuration/stored-map.ts';
export {
  languagesOf,
  readTexts,
  type TranslatableText,
  translationKey,
} from './configuration/translations.ts';
export { UIS } from './configuration/warnings.ts';
export { devicesIn } from './device.ts';
export { isPlaceholder } from './device-placeholders.ts';
export {
  attributePath,
  countFindings,
  error,
  FINDING_CODES,
  type Finding,
  findingText,
} from './finding.ts';
export { ClientId, comparableId, StoredId } from './identifiers.ts';
export { lazily } from './lazily.ts';
export { oncePer } from './once-per.ts';
export { isBlank } from './stray-characters.ts';
export { characters, counted, shortened } from './text.ts';

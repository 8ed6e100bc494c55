import { authorName, type FieldKind, type InputKind } from 'customer-data-api/configuration';
import { say } from 'customer-data-api/sentences';
import type { Version } from './answers.ts';

/* What several places of the page say. */
export const TEXTS = {
  loading: 'Loading…',
  manualEdit: 'edited manually',
  lockedOut: 'Locked out',
  lastAppId:
    'This is the last App-Id: without it, the client is locked out. Add another one first.',
  appClients: 'App clients',
  noneChosen: 'Choose at least one.',
  effects: 'Effects on customers',
  noEffects: 'Nothing that customers see.',
  reason: 'Reason (required, shown in the history)',
  confirm: (clientId: string) => say`Type ${clientId} to confirm`,
  version: (version: number | string) => `Version ${version}`,
  startUnknown: 'from before this history began',
  more: (number: number) => `Show ${number} more`,
  removed: (name: string) => say`Removed ${name}. Undo brings it back.`,
  ownLanguage: 'Language of your texts',
  untitled: '(without a caption)',
  in: (text: string, language: string) => `${text} (${language})`,
};

/** The names of the screens of the console. */
export const SCREEN_NAMES = {
  clients: 'Clients',
  unknown: 'No such page',
  configuration: 'Configuration',
  history: 'History',
  codes: 'Codes',
  access: 'Access',
};

export const KIND_NAMES: Readonly<Record<FieldKind, string>> = {
  text: 'Text',
  drop: 'Dropdown',
  combo: 'Combination (two inputs)',
};
export const INPUT_NAMES: Readonly<Record<InputKind, string>> = {
  text: KIND_NAMES.text,
  drop: KIND_NAMES.drop,
};

/** The screens of an app at which a field is shown. */
export const APP_SCREENS = {
  'register profile': 'Registration and profile',
  register: 'Registration',
  profile: 'Profile',
  '': 'Nowhere',
};

/** The labels of the attributes of a field. */
export const ATTRIBUTES = {
  fieldType: 'Kind of field',
  fieldName: 'Caption',
  appUIs: 'Shown at',
  mandatory: 'Mandatory',
  allowMultiple: 'Several answers',
  addButtonText: 'Button text',
  subType: 'Kind',
  placeHolderText: 'Placeholder',
  maxChars: 'Longest answer',
  alpha: 'Letters allowed',
  numbers: 'Digits allowed',
  symbols: 'Other characters allowed',
  optionsArray: 'Options',
  allowCopies: 'Same answer twice',
};

export function numbered(number: number): string {
  return number.toLocaleString('en');
}

/** Names who made a version. */
export function authorOf({ by, source }: Partial<Version>): string {
  return source === 'manualEdit' ? TEXTS.manualEdit : authorName(by ?? 'somebody');
}

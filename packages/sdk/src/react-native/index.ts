/*
 * The entry of the package for React Native: a form for a field, which the phone draws. The rest of
 * the package needs neither React nor React Native.
 */

export { CustomerDataField, type CustomerDataFieldProps, type CustomerDataForm } from './field.tsx';
export { type NativeFormTexts, TEXTS } from './texts.ts';
export type { Colors, FormStyles, Theme } from './theme.ts';

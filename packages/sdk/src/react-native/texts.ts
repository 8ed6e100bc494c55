import { FORM_TEXTS, type FormTexts } from '../form-state.ts';

/** The texts of the form for the customer. */
export interface NativeFormTexts extends FormTexts {
  /** Names the input that searches the options of a dropdown. */
  search: string;
  /** Shown if no option matches. */
  noMatch: string;
  close: string;
}

/** The texts in English. For another language, pass an object of the same type to the form. */
export const TEXTS: Readonly<NativeFormTexts> = {
  ...FORM_TEXTS,
  search: 'Search',
  noMatch: 'Nothing found',
  close: 'Close',
};

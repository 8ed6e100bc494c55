import type { FormField, Instance } from '../../packages/sdk/src/index.ts';

/** The fields that a page shows, each with all its problems. */
export interface PageInput {
  readonly fields: readonly FormField[];
  /** The answers by the id of the field. */
  readonly answers: Readonly<Record<string, readonly Instance[]>>;
  /** The text of the form in the language of the fields. */
  readonly mandatory?: string;
  /** The size that a customer has set. */
  readonly fontSize?: number;
  readonly dir?: 'ltr' | 'rtl';
}

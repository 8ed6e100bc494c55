import type { ConfigsItem } from '../client-attributes.ts';
import { type Finding, warning } from '../finding.ts';

/** The attribute that says whether the case of a client's promo codes counts. */
const ATTRIBUTE = 'promoCodesIgnoreCase';

/** The rule about the case of a client's promo codes, in its item or in a version. */
export interface PromoCodeCase {
  /**
   * True if the case does not count. The version of a deletion has it, too: the promo events stay.
   */
  readonly promoCodesIgnoreCase?: true | undefined;
}

/** True if the case of a client's promo codes does not count. */
export function ignoresCase(item: ConfigsItem): boolean {
  return item[ATTRIBUTE] === true;
}

/** Finds an attribute that is no boolean, so that case counts as without it. */
export function promoCodeCaseFindings({ [ATTRIBUTE]: stored }: ConfigsItem): Finding[] {
  if (stored === undefined || typeof stored === 'boolean') return [];
  const message = 'must be a boolean; until then, the case of promo codes counts';
  return [warning('wrongType', [ATTRIBUTE], message)];
}

import type { Finding } from 'customer-data-api/configuration';
import type { FoundClient } from '../answers.ts';
import { FindingCount } from '../findings/badge.tsx';
import { isOfAccess, itemSentence, placeOf, sentenceOf } from '../findings/finding-text.ts';
import { Icon } from '../parts/icons.tsx';
import { Sentence } from '../parts/sentences.tsx';
import { clientHref } from '../route.ts';

/** Returns where the error of a client is repaired, if it is here. */
function repairOf({ clientId, removedAt }: FoundClient, worst: Finding): string | undefined {
  if (removedAt !== undefined) return `#/?${new URLSearchParams({ create: clientId })}`;
  if (isOfAccess(worst)) return clientHref(clientId, 'access');
  if (itemSentence(worst)) return undefined;
  const isInForm = worst.path[0] === 'fields' || worst.path[0] === 'language';
  return clientHref(clientId, 'configuration', { fix: isInForm ? '1' : '' });
}

/** Shows what is wrong with a client first, and how much else is; nothing if all is well. */
export function Trouble({ found }: { readonly found: FoundClient }) {
  const { clientId, errors, warnings, worst } = found;
  if (!worst) {
    if (warnings === 0) return null;
    return (
      <a href={clientHref(clientId, 'configuration', { fix: '1' })}>
        <FindingCount findings={warnings} errors={0} />
      </a>
    );
  }
  const href = repairOf(found, worst);
  const text = <Sentence>{itemSentence(worst) ?? sentenceOf(worst, placeOf(worst))}</Sentence>;
  return (
    <span class="trouble">
      <span class="bad">
        <Icon name="error" />
      </span>
      <span>
        {href === undefined ? text : <a href={href}>{text}</a>}
        {errors > 1 && <span class="quiet">{` and ${errors - 1} more`}</span>}
      </span>
    </span>
  );
}

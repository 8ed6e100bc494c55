import { say, type Sentence as Text } from 'customer-data-api/sentences';
import type { FoundClient } from '../answers.ts';
import { FindingCount } from '../findings/badge.tsx';
import { itemSentence, placeOf, sentenceOf } from '../findings/finding-text.ts';
import { Icon } from '../parts/icons.tsx';
import { named, Sentence } from '../parts/sentences.tsx';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';

/** True if a client is locked out, was removed, or has errors. */
export function needsSomebody({ removedAt, errors }: FoundClient): boolean {
  return removedAt !== undefined || errors > 0;
}

/** Returns what is wrong with a client first, and where that is repaired, if it is here. */
export function troubleOf(found: FoundClient): { text: Text; href?: string } | undefined {
  const { clientId, removedAt, worst, foreign = [], isOpen } = found;
  const access = clientHref(clientId, 'access');
  if (removedAt !== undefined) {
    const href = `#/?${new URLSearchParams({ create: clientId })}`;
    return { text: 'Removed manually. Create it again', href };
  }
  if (worst) {
    const { code, path } = worst;
    const lockout = code === 'lockedOut' && TEXTS.lockedOutBy[String(path[0])];
    const ofItem = itemSentence(worst);
    if (ofItem !== undefined) return { text: ofItem };
    const fix = path[0] === 'fields' || path[0] === 'language' ? '1' : '';
    const isOfAccess = lockout || code === 'editedRule';
    const href = isOfAccess ? access : clientHref(clientId, 'configuration', { fix });
    return { text: lockout || sentenceOf(worst, placeOf(worst)), href };
  }
  const open = isOpen && 'Accepts customers of the apps of other clients.';
  const text = foreign.length > 0 ? say`App clients that do not exist: ${named(foreign)}.` : open;
  return text ? { text, href: access } : undefined;
}

/** Shows what is wrong with a client first, and how much else is; nothing if all is well. */
export function Trouble({ found }: { readonly found: FoundClient }) {
  const { clientId, errors, warnings } = found;
  const trouble = troubleOf(found);
  if (!trouble) {
    if (warnings === 0) return null;
    return (
      <a href={clientHref(clientId, 'configuration', { fix: '1' })}>
        <FindingCount findings={warnings} errors={0} />
      </a>
    );
  }
  const { href } = trouble;
  const text = <Sentence>{trouble.text}</Sentence>;
  const isSevere = needsSomebody(found);
  return (
    <span class="trouble">
      <span class={isSevere ? 'bad' : 'warning'}>
        <Icon name={isSevere ? 'error' : 'warning'} />
      </span>
      <span>
        {href === undefined ? text : <a href={href}>{text}</a>}
        {errors > 1 && <span class="quiet">{` and ${errors - 1} more`}</span>}
      </span>
    </span>
  );
}

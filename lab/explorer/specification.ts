/*
 * What must hold in every state of the console, whatever an operator presses and types. Bombadil
 * runs the functions of `extract` in the page, and the others in an engine of its own.
 */
import { always, next, weighted } from '@antithesishq/bombadil';
import { actions, extract, getFingerprint } from '@antithesishq/bombadil/browser';
import { navigation } from '@antithesishq/bombadil/browser/defaults/actions';

export {
  noConsoleErrors,
  noUncaughtExceptions,
  noUnhandledPromiseRejections,
} from '@antithesishq/bombadil/browser/defaults/properties';

/**
 * The controls that an operator can press: those that continue a change or leave a screen, and the
 * rest.
 */
const KINDS = {
  next: '.primary, .field .name, th a, dialog form:valid [type=submit]',
  leave: 'nav a:not([target]), td a, summary',
  rest: 'button, input:not([type=file]), textarea',
};

/** The controls that nothing covers, with the kind of each. */
const controls = extract(({ document }) =>
  Object.entries(KINDS).flatMap(([kind, selector]) =>
    [...document.querySelectorAll(selector)]
      .map((control) => {
        const { x, y, width, height } = control.getBoundingClientRect();
        const point = { x: x + width / 2, y: y + height / 2 };
        const isHit = control.contains(document.elementFromPoint(point.x, point.y));
        return { kind, isHit, fingerprint: getFingerprint(control), point };
      })
      .filter(({ isHit }) => isHit),
  ),
);
const press = (wanted: string) =>
  actions(() =>
    controls.current
      .filter(({ kind }) => kind === wanted)
      .map(({ fingerprint, point }) => ({ Click: { fingerprint, point } })),
  );
const leaving = weighted([
  [2, press('leave')],
  [1, navigation],
]);

const isTyping = extract(
  ({ document }) =>
    document.activeElement?.matches('textarea, [type=text], [type=search]') ?? false,
);
const typing = actions(() =>
  isTyping.current ? [{ TypeText: { text: { Text: [1, 8] }, delayMillis: 0 } }] : [],
);

/** Waits while a screen is loading: only what leads away from it could be pressed. */
const leave = actions(() =>
  controls.current.some(({ kind }) => kind !== 'leave') ? leaving.generate() : ['Wait'],
);

export const work = weighted([
  [40, press('next')],
  [40, press('rest')],
  [40, typing],
  [2, leave],
]);

/** Changes of what is live, or of who may call. */
const CHANGE = /\/(app-clients|publish|remove|revoke)$/;

/** The number of changes that this page has sent while no dialog asked for it. */
const unasked = extract(({ document, window }) => {
  const page = Object(window);
  if (page.unasked === undefined) {
    page.unasked = 0;
    const { fetch } = page;
    page.fetch = (path: string, ...init: unknown[]) => {
      if (CHANGE.test(path) && !document.querySelector('dialog[open]')) page.unasked++;
      return fetch(path, ...init);
    };
  }
  return page.unasked as number;
});

export const nothingIsPublishedWithoutTheDialog = always(() => unasked.current === 0);

/** The drafts that the browser keeps. */
const drafts = extract(({ window: { localStorage } }) =>
  JSON.stringify(Object.entries(localStorage).filter(([key]) => key.startsWith('draft '))),
);
const hasFailed = extract(
  ({ document }) => document.querySelector('dialog form [role=alert]') !== null,
);
const isDone = extract(({ document }) => document.querySelector('dialog p[role=status]') !== null);

export const noEditIsLostAfterAFailedSave = always(() => {
  const before = drafts.current;
  const hadFailed = hasFailed.current;
  return next(() => {
    const isSame = drafts.current === before || isDone.current;
    return isSame || !(hadFailed || hasFailed.current);
  });
});

/** The link to the clients or, in a dialog, the button that closes it. */
const wayBack = extract(({ document }) => {
  const dialog = document.querySelector('dialog[open]');
  const ways = dialog
    ? dialog.querySelectorAll('header button')
    : document.querySelectorAll('nav a');
  return [...ways].some((one) => one.checkVisibility());
});

export const noStateIsWithoutAWayBack = always(() => wayBack.current);

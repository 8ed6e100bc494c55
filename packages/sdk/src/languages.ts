import type { Session } from './types.ts';

/** Matches the characters that CORS lets a page send without a permission, and no more. */
const FITTING = /^.{1,128}(?=,|$)/;
const TAG = /^[a-z]{2,8}(-[a-z\d]{1,8})*$/i;

/**
 * Returns the value of `Accept-Language`, best first: the app's language, or else those of the
 * platform. `*` if neither is known, because phones would add one of their own.
 */
export function acceptLanguage({ language }: Session): string {
  return (
    tagsOf(language) ??
    tagsOf(globalThis.navigator?.languages) ??
    // React Native has no list, and some of its engines have no Intl.
    tagsOf(globalThis.Intl?.NumberFormat().resolvedOptions().locale) ??
    '*'
  );
}

/**
 * Returns the language tags (BCP 47) of locales such as `pt_BR.UTF-8`; undefined if none has one.
 * Not only arrays: extensions of browsers put anything there.
 */
function tagsOf(locales: unknown): string | undefined {
  const tags = `${locales ?? ''}`.split(',').map((locale) =>
    locale
      .replace(/[.@].*/, '')
      .trim()
      .replaceAll('_', '-'),
  );
  return FITTING.exec(tags.filter((tag) => TAG.test(tag)).join())?.[0];
}

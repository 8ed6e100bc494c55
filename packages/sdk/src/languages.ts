import type { Session } from './types.ts';

/** These usually have fewer than 128 characters, which CORS lets a page send without permission. */
const MAX_LANGUAGES = 9;

/**
 * Returns the value of `Accept-Language`, best first: the app's language, or else those of the
 * platform. `*` if neither is known, because phones would add one of their own.
 */
export function acceptLanguage({ language }: Session): string {
  return (
    // A locale such as `pt_BR.UTF-8` becomes a range of which the service finds `pt-BR`.
    language
      ?.replace(/[.@].*/, '')
      .match(/[a-z\d]+/gi)
      ?.join('-') ||
    globalThis.navigator?.languages?.slice(0, MAX_LANGUAGES).join() ||
    // React Native has no list, and some of its engines have no Intl.
    globalThis.Intl?.NumberFormat().resolvedOptions().locale ||
    '*'
  );
}

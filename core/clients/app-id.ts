import * as v from 'valibot';
import { headerText } from '../text.ts';

/** The most characters: ours are UUIDs, and operators may issue App-Ids of their own. */
const APP_ID_MAX = 128;

/**
 * Matches words of programs for no value, such as those of an app that was built without its
 * App-Id.
 */
const NO_VALUE = /^[[(<"']*(?:undefined|null|none|nil|nan|object \w+)[\])>"']*$/i;

/** True for the values of a header that was sent twice, joined (RFC 9110 section 5.3). */
function isRepeated(value: string): boolean {
  const [first, ...others] = value.split(',').map((one) => one.trim());
  return others.length > 0 && others.every((one) => one === first);
}

/** The API key of an app, as requests have it in a header: without spaces around it. */
export const AppId = v.pipe(
  headerText(APP_ID_MAX),
  v.check((value) => !NO_VALUE.test(value), 'must be the App-Id, not a word for no value'),
  v.check((value) => !isRepeated(value), 'must be sent once'),
  v.description('The API key that was issued to the app.'),
);

/** True for an App-Id that a request can have: spaces around the value of a header are cut off. */
function isAppId(value: string): boolean {
  return value.trim() === value && v.is(AppId, value);
}

/** Matches header values that programs send unchanged (RFC 9110 section 5.5). */
const OF_HEADERS = /^[ -~\u00a1-\u00ac\u00ae-\u00ff]*$/;

/** True for an App-Id that apps can send. */
export function isSendableAppId(value: string): boolean {
  return isAppId(value) && OF_HEADERS.test(value);
}

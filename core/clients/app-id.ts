import * as v from 'valibot';
import { headerText } from '../text.ts';

/** Ours are UUIDs; operators may issue App-Ids of their own. */
const APP_ID_MAX = 128;

/** The API key of an app, as requests have it in a header: without spaces around it. */
export const AppId = v.pipe(
  headerText(APP_ID_MAX),
  v.description('The API key that was issued to the app.'),
);

/** True for an App-Id that a request can have: spaces around the value of a header are cut off. */
export function isAppId(value: string): boolean {
  return value.trim() === value && v.is(AppId, value);
}

import { parsedOnUse } from './text.ts';

/* Placeholders that phones without an id send. They look like ids, but many phones share one. */

/** Characters that wrap and separate the letters and digits of an id. */
const around = parsedOnUse('[^\\p{L}\\p{N}]+', 'gu');
/** Words in lower case, of letters and digits only: `(null)`, `<null>` and `NULL` are one. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  // An absent value as text: JSON, Java and Objective-C; JavaScript; Swift and Go; Python; of a
  // number; `Optional.empty` of Java; `%!s(<nil>)` of Go.
  'null',
  'undefined',
  'nil',
  'none',
  'nan',
  'empty',
  'snil',
  // A promise as text: of JavaScript, of Dart and of .NET.
  // https://github.com/react-native-device-info/react-native-device-info/issues/1434
  'objectobject',
  'objectpromise',
  'instanceoffuturestring',
  'systemthreadingtaskstask1systemstring',
  // https://developer.android.com/reference/android/os/Build#UNKNOWN
  'unknown',
  // https://docs.unity.com/en-us/engine/6000.0/script-reference/unityengine/systeminfo/unsupportedidentifier
  'na',
  // The ANDROID_ID of many phones and emulators. https://issuetracker.google.com/issues/36918137
  '9774d56d682e549c',
  // The MAC address that apps get, `02:00:00:00:00:00`.
  // https://developer.android.com/about/versions/marshmallow/android-6.0-changes#behavior-hardware-id
  '020000000000',
]);
/**
 * Zeros, such as the advertising id of phones that give none, or one character alone: the Max UUID
 * (RFC 9562 section 5.10), or an id that was masked.
 * https://developer.apple.com/documentation/adsupport/asidentifiermanager/advertisingidentifier
 * https://developers.google.com/android/reference/com/google/android/gms/ads/identifier/AdvertisingIdClient.Info
 */
const ONE_CHARACTER = /^(?:0*|(.)\1{7,})$/u;

/** True for what is no id of a single phone, however it is wrapped. So is a list of such values. */
export function isPlaceholder(id: string): boolean {
  return id.split(',').every((one) => {
    // Swift and Java write `Optional(nil)` and `Optional[null]`.
    const text = one
      .replace(around(), '')
      .toLowerCase()
      .replace(/^optional/, '');
    return ONE_CHARACTER.test(text) || PLACEHOLDERS.has(text);
  });
}

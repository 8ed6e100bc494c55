/*
 * The messages of the functions' lines that programs and saved queries find in a log. The local
 * server keeps these lines for the commands.
 */

/** Uses of App-Ids, by client and fingerprint. */
export const APP_IDS_USED = 'App-Ids were used';

/** A request that a function answered with a 4xx response. */
export const REQUEST_REFUSED = 'Request refused';

/** A request that a function answered with a 5xx response. */
export const REQUEST_FAILED = 'Request failed';

/*
 * Replaces parts of the AWS SDK that the functions do not use: they sign for one Region, and event
 * streams would load `node:zlib` at every start.
 */
export const SignatureV4MultiRegion = undefined;

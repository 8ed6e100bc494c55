/*
 * Replaces parts of the AWS SDK that the functions do not use. Their clients get SHA-256, and no
 * MD5 (`core/aws`), and sign for one Region. Event streams would load `node:zlib` at every start.
 */
export const Md5 = undefined;
export const Sha256 = undefined;
export const SignatureV4MultiRegion = undefined;

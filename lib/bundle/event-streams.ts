/**
 * Replaces the AWS SDK's event streams, which no call uses: they load `node:zlib` at each start.
 */
export {};

/** Replaces the AWS SDK's event streams: unused, but they load `node:zlib` at every start. */
export {};

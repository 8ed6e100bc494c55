/**
 * Replaces `node:process` in the bundles. An import of the ES module evaluates all its exports,
 * which opens the standard streams.
 */
export const { env, versions } = process;
export default process;

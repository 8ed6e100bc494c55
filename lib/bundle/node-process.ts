/** Replaces `node:process` in the bundles: importing the ES module opens the standard streams. */
export const { env, versions } = process;
export default process;

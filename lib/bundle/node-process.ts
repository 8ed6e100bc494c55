/**
 * Stands in for `node:process` in the bundles. Importing that as a module reads everything that it exports, and so opens the
 * standard streams.
 */
export const { env, versions } = process;
export default process;

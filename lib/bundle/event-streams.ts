/**
 * Stands in for the SDK's event streams in the bundles. None of our calls streams, and the code
 * would add `node:zlib` to the modules that are loaded at every start.
 */
export {};

/**
 * Stands in for `node:http` in the bundles. Importing that as a module reads everything that it exports, some of which loads
 * Node's whole `fetch`: 20 ms of a cold start that nothing here needs.
 */
const http = process.getBuiltinModule('node:http');

export const { Agent, request, STATUS_CODES } = http;
export default http;

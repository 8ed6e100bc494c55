/**
 * Replaces `node:http` in the bundles. An import of the ES module evaluates all exports; some load
 * Node's `fetch`, which nothing here needs and which costs 20 ms per cold start.
 */
const http = process.getBuiltinModule('node:http');

export const { Agent, request, STATUS_CODES } = http;
export default http;

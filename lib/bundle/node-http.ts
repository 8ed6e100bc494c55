/**
 * Replaces `node:http` in the bundles. An import of the ES module evaluates all its exports, and
 * some of them load Node's `fetch`. That costs 20 ms per cold start, and nothing here needs it.
 */
const http = process.getBuiltinModule('node:http');

export const { Agent, request, STATUS_CODES } = http;
export default http;

/*
 * The proxy of the environment, as the AWS CLI and the CDK use it. Plain JavaScript, as the launcher
 * is.
 */
const http = require('node:http');

const NAMES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];

/** This machine, as URLs name it: no proxy reaches what listens here. */
const LOOPBACK = ['localhost', '127.0.0.1', '::1', '[::1]'];

/**
 * Lets this process and those that it starts go through the proxy of the environment, except to
 * this machine. Returns what is wrong and what would be right, in one line; undefined if nothing is.
 */
exports.useProxy = function useProxy() {
  const { env } = process;
  const named = NAMES.filter((name) => env[name]);
  if (named.length === 0) return undefined;
  for (const name of named) {
    // The AWS CLI lets people leave out http://.
    const url = env[name].includes('://') ? env[name] : `http://${env[name]}`;
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      // Its value may have a password.
      return `${name} is not the address of an HTTP proxy. Write it as http://HOST:PORT, or unset it to work without a proxy.`;
    }
    env[name] = new URL(url).href;
  }
  if (http.setGlobalProxyFromEnv === undefined) {
    return `${named[0]} names a proxy, which needs Node 24.14 or 25.4, and this is Node ${process.versions.node}. Install a newer one, or unset ${named[0]} to work without a proxy.`;
  }
  const exceptions = env.no_proxy ? 'no_proxy' : 'NO_PROXY';
  env[exceptions] = [env[exceptions], ...LOOPBACK].filter(Boolean).join();
  // Of fetch. The agents of the AWS clients read the environment.
  http.setGlobalProxyFromEnv(env);
  return undefined;
};

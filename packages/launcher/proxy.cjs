/*
 * The proxy of the environment, as the AWS CLI and the CDK use it. Plain JavaScript, as the launcher
 * is.
 */
const http = require('node:http');
const { networkInterfaces } = require('node:os');

const NAMES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];

/** This machine, as URLs name it. Only the agents of the AWS clients know ranges. */
const LOOPBACK = ['localhost', 'localhost.', '127.0.0.1', '127.0.0.0-127.255.255.255', '0.0.0.0'];
const LOOPBACK_V6 = ['::1', '::', '::ffff:7f00:1'];

/**
 * Addresses where machines and containers of AWS get credentials, and that only they can reach.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 */
const CREDENTIALS = ['169.254.169.254', '169.254.170.2', '169.254.170.23'];
const CREDENTIALS_V6 = ['fd00:ec2::254', 'fd00:ec2::23'];

/** Returns the hosts that no proxy reaches. Of IPv6, `fetch` has the brackets, and agents do not. */
function unproxied() {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const ofFamily = (name) =>
    own.filter(({ family }) => family === name).map(({ address }) => address);
  const v6 = [...LOOPBACK_V6, ...CREDENTIALS_V6, ...ofFamily('IPv6')];
  return [...LOOPBACK, ...CREDENTIALS, ...ofFamily('IPv4'), ...v6, ...v6.map((one) => `[${one}]`)];
}

/**
 * Returns the value of `NO_PROXY` with more hosts, in the form that `fetch` and the agents of Node
 * both read as the AWS CLI does: commas between the hosts, and a dot before a domain for its hosts.
 */
function exceptions(value, hosts) {
  const named = value.split(/[\s,]+/).filter(Boolean);
  const domains = named.map((name) => `.${name.replace(/^\*?\./, '')}`);
  return [...new Set([...named, ...domains, ...hosts])].join();
}

/**
 * Lets this process and those that it starts go through the proxy of the environment, except to
 * this machine and to what gives a machine of AWS its credentials. Returns what is wrong and what
 * would be right, in one line; undefined if nothing is.
 */
exports.useProxy = function useProxy() {
  const { env } = process;
  const named = NAMES.filter((name) => env[name]);
  const value = (env.no_proxy || env.NO_PROXY || '').trim();
  // Alone, it means every host.
  if (named.length === 0 || value === '*') return undefined;
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
  env.NO_PROXY = env.no_proxy = exceptions(value, unproxied());
  // The agents of fetch. Those of the AWS clients read the environment.
  http.setGlobalProxyFromEnv(env);
  return undefined;
};

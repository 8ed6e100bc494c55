import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startChild } from '../child.ts';
import type { Environment } from '../environment/environment.ts';
import { NoLambdaError } from './cpu-groups.ts';

/** The delay each way between a function and a service. */
const DELAY_MS = 1;

/** The environment variables that name a service. */
const SERVICES = [
  'AWS_ENDPOINT_URL_DYNAMODB',
  'AWS_ENDPOINT_URL_SQS',
  'AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER',
] as const;

/**
 * The same environment, with DynamoDB, SQS and the key set behind TLS and a delay.
 *
 * @param folder the certificate is written into it.
 * @throws NoLambdaError if there is no openssl, which makes the certificate.
 */
export async function startTlsEnvironment(
  environment: Environment,
  folder: string,
): Promise<Environment> {
  const [keyFile, certificateFile] = await testCertificate(folder);
  const plain = environment.variables('get-config');
  const services = SERVICES.map((name) => plain[name] ?? '');
  const args = [keyFile, certificateFile, String(DELAY_MS), ...services];
  const front = startChild('The TLS front', new URL('tls-front.ts', import.meta.url), args);
  const urls = await front.nextMessage<readonly string[]>();
  const secure = Object.fromEntries(SERVICES.map((name, index) => [name, urls[index]]));
  return {
    ...environment,
    variables: (...args) => ({
      ...environment.variables(...args),
      ...secure,
      NODE_EXTRA_CA_CERTS: certificateFile,
    }),
    stop: front.stop,
  };
}

/** Makes a certificate for this machine that is valid for a day, with an RSA key, as AWS's are. */
async function testCertificate(folder: string): Promise<readonly [key: string, cert: string]> {
  const [key, cert] = [join(folder, 'tls-key.pem'), join(folder, 'tls-certificate.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  try {
    await promisify(execFile)('openssl', [...request, ...subject, '-keyout', key, '-out', cert]);
  } catch (error) {
    throw new NoLambdaError(
      `openssl cannot make a certificate: ${(error as Error).message.trim()}`,
    );
  }
  return [key, cert];
}

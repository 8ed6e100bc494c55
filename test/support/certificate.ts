import { generateKeyPairSync, sign } from 'node:crypto';

/* A certificate that signs itself, in DER: https://www.rfc-editor.org/rfc/rfc5280#section-4.1 */

const SEQUENCE = 0x30;
const ECDSA_WITH_SHA256 = der(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'));
const DAY_MS = 86_400_000;

/**
 * Makes a certificate for some hosts, and its key, as a server of `node:https` takes them. A client
 * that is to trust it gets it in `NODE_EXTRA_CA_CERTS`.
 */
export function certificateFor(...hosts: readonly string[]) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(
    SEQUENCE,
    der(0x31, der(SEQUENCE, Buffer.from('0603550403', 'hex'), text(0x0c, 'test'))),
  );
  const time = (date: number) =>
    text(0x18, new Date(date).toISOString().replaceAll(/[-:T]|\.\d+/g, ''));
  const names = der(SEQUENCE, ...hosts.map((host) => text(0x82, host)));
  const subjectAltName = der(SEQUENCE, Buffer.from('0603551d11', 'hex'), der(0x04, names));
  const toBeSigned = der(
    SEQUENCE,
    der(0xa0, Buffer.from('020102', 'hex')),
    Buffer.from('020101', 'hex'),
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, subjectAltName)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey));
  const certificate = der(SEQUENCE, toBeSigned, ECDSA_WITH_SHA256, signature);
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const bytes = content.length < 0x80 ? 0 : content.length < 0x100 ? 1 : 2;
  const length = Buffer.alloc(1 + bytes, bytes === 0 ? content.length : 0x80 + bytes);
  if (bytes > 0) length.writeUIntBE(content.length, 1, bytes);
  return Buffer.concat([Buffer.from([tag]), length, content]);
}

function text(tag: number, value: string): Buffer {
  return der(tag, Buffer.from(value));
}

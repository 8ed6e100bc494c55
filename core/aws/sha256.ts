import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from 'node:crypto';
import type { Checksum, SourceData } from '@smithy/types';

/**
 * SHA-256 and HMAC for the AWS SDK's signatures. The AWS SDK's own class passes the key as bytes,
 * for which Node 24 throws and catches two errors per call. A `KeyObject` saves 4 % of the CPU time
 * of a promo application.
 */
export class Sha256 implements Checksum {
  readonly #create: () => Hash | Hmac;
  #hash: Hash | Hmac;

  /** @param secret the key of the HMAC; without one, it is a plain digest. */
  constructor(secret?: SourceData) {
    const key = secret === undefined ? undefined : createSecretKey(bytesOf(secret));
    this.#create = () => (key ? createHmac('sha256', key) : createHash('sha256'));
    this.#hash = this.#create();
  }

  update(data: SourceData): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#create();
  }
}

function bytesOf(data: SourceData): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

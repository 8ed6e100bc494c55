import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

/**
 * SHA-256, or with a secret HMAC-SHA-256, in the shape that the SDK's signer takes. The SDK's own comes with all its
 * checksums, one of which loads Node's `zlib`: 5 ms of each start.
 */
export class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    // The signer knows texts and bytes only.
    const key = secret as string | Uint8Array | undefined;
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', key);
  }

  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

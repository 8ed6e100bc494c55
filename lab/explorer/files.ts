import { fileURLToPath } from 'node:url';

/** Returns the path of a file beside this one. */
export function file(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Bombadil for this machine: npm has it for Linux, and for Macs with Apple's processors. */
export const BOMBADIL = file(
  `node_modules/@antithesishq/bombadil/binaries/bombadil-${process.platform}-${process.arch}`,
);

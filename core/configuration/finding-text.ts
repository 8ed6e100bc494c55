import type { Finding } from './check-configuration.ts';

/** A finding as a sentence: `fields[1].subFieldA.maxChars: must be at least 1.` */
export function findingText({ path, message }: Pick<Finding, 'path' | 'message'>): string {
  const name = attributePath(path);
  return `${name && `${name}: `}${message.replace(/\.?$/, '.')}`;
}

/** An attribute below a client's item, as operators write it. The name of the item itself is empty. */
export function attributePath(path: Finding['path']): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '');
}

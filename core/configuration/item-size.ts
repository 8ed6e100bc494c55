import type { ConfigsItem } from '../client-attributes.ts';
import { error, type Finding, warning } from '../finding.ts';
import { isMap } from './stored-map.ts';

/** DynamoDB refuses a larger item. In bytes, as `storedBytes` counts them. */
export const MAX_ITEM_BYTES = 400 * 1024;

/** DynamoDB refuses lists and maps that contain each other in more levels. */
export const MAX_ITEM_LEVELS = 32;

/** True if lists and maps of a value contain each other in more levels. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => nestsDeeper(part, levels - 1));
}

/** A list or a map has this many bytes, besides its entries. */
const CONTAINER_BYTES = 3;
/** An entry of a list or of a map in an item has this many bytes, besides its name and value. */
const ENTRY_BYTES = 1;

/**
 * Counts the bytes of an item that has been read, as DynamoDB does: names and values.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function itemBytes(item: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  for (const name in item) bytes += textBytes(name) + storedBytes(item[name]);
  return bytes;
}

/** Counts the bytes of a value. Lists may stand for sets: a file has no sets. */
function storedBytes(value: unknown): number {
  if (typeof value === 'string') return textBytes(value);
  if (typeof value === 'boolean' || value === null) return 1;
  if (value === undefined) return 0;
  if (value instanceof Uint8Array) return value.byteLength;
  if (value instanceof Set) return total([...value]);
  if (Array.isArray(value)) return CONTAINER_BYTES + ENTRY_BYTES * value.length + total(value);
  if (!isMap(value)) return numberBytes(String(value));
  return CONTAINER_BYTES + ENTRY_BYTES * Object.keys(value).length + itemBytes(value);
}

function total(values: readonly unknown[]): number {
  let bytes = 0;
  for (const value of values) bytes += storedBytes(value);
  return bytes;
}

/** Counts the bytes of a number: one for two digits, aligned at the point, one for the exponent. */
function numberBytes(number: string): number {
  const [, sign, whole = '', fraction = '', power = '0'] =
    /^([-+]?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(number) ?? [];
  const written = `${whole}${fraction}`;
  const digits = written.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '').length;
  if (significant === 0) return 1;
  const exponent = whole.length - (written.length - digits.length) - 1 + Number(power);
  const isSplit = significant % 2 === 0 && exponent % 2 === 0;
  return 1 + Math.ceil(significant / 2) + Number(isSplit) + Number(sign === '-');
}

/** Counts the bytes of a text in UTF-8. */
function textBytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // Both halves of a surrogate pair have two bytes each.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** The attributes of a version besides its content, with those that have no limit. In bytes. */
const VERSION_BYTES = 2048;

/** The size of a client as DynamoDB counts it, in bytes. */
export interface StoredSize {
  /** The fields, `lastFieldId` and `language`. */
  readonly content: number;
  /** The whole item. */
  readonly item: number;
}

function sizeOf(item: ConfigsItem): StoredSize {
  const { fields, lastFieldId, language } = item;
  const content = { fields, lastFieldId, ...(language !== undefined && { language }) };
  return { content: itemBytes(content), item: itemBytes(item) };
}

/**
 * Finds that a client is too large, or its configuration for the history.
 *
 * @param size the size of the whole item, if `stored` is only a part of it.
 */
export function sizeFindings(stored: ConfigsItem, size = sizeOf(stored)): Finding[] {
  const { content, item } = size;
  if (item > MAX_ITEM_BYTES) {
    const message = `has ${item} bytes with what else the client has; DynamoDB accepts ${MAX_ITEM_BYTES}. Remove options or shorten texts`;
    return [error('tooLarge', [], message)];
  }
  if (content + VERSION_BYTES <= MAX_ITEM_BYTES) return [];
  const message = `has ${content} bytes; a version of more than ${MAX_ITEM_BYTES - VERSION_BYTES} may not be recorded, and could not be restored`;
  return [warning('tooLargeToRestore', [], message)];
}

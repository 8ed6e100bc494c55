import { isPlaceholder } from './device-placeholders.ts';
import { codePointsOf, parsedOnUse, UUID } from './text.ts';

/*
 * The ids by which phones are told apart. An advertising id is a UUID, which phones and people
 * spell in several ways.
 */

/** The longest id of a device, in characters. An advertising id has 36; apps may send others. */
export const DEVICE_ID_MAX = 128;

/** Spaces, separators, quotes and brackets: what stands around and between ids. */
const BETWEEN = String.raw`(?:\s|[^\p{L}\p{N}\p{C}-])`;

/** Characters that cannot be printed: no header has them, or nobody would see them. */
const unprintable = parsedOnUse('[\\p{C}\\p{Zl}\\p{Zp}\\uFFFD]', 'u');
const separators = parsedOnUse(`${BETWEEN}+`, 'u');
const HOLDS_UUID = new RegExp(UUID, 'i');
const oneUuid = parsedOnUse(`^${BETWEEN}*(${UUID})${BETWEEN}*$`, 'iu');

/**
 * Returns the one form of a device's id: a UUID in lower case, without what wraps it, such as
 * braces. Undefined without an id, and for what phones send that have none.
 */
export function normalDevice(id: string | undefined): string | undefined {
  const trimmed = id?.trim() ?? '';
  const device = oneUuid().exec(trimmed)?.[1]?.toLowerCase() ?? trimmed;
  return isPlaceholder(device) ? undefined : device;
}

/**
 * Returns the one form of an `Installation-Id`. Undefined if it does not name one installation:
 * then no share of a rollout includes the device.
 */
export function normalInstallation(id: string): string | undefined {
  return installationProblem(id) === undefined ? normalDevice(id) : undefined;
}

/**
 * Explains why an `Installation-Id` cannot be used as it was sent. Lines of one header are joined
 * by commas on the way (RFC 9110 section 5.3).
 */
export function installationProblem(id: string): string | undefined {
  const members = id.split(',').filter((member) => member.trim() !== '');
  return members.length > 1 ? 'has more than one id' : characterProblem(id.trim());
}

function characterProblem(id: string): string | undefined {
  if (unprintable().test(id)) return 'has characters that cannot be printed';
  if (codePointsOf(id) > DEVICE_ID_MAX) return `has more than ${DEVICE_ID_MAX} characters`;
  return undefined;
}

/**
 * Reads the devices that a person names in a text: UUIDs with what separates or wraps them, such as
 * `"A", "B"`; any other text is one device.
 *
 * @returns the form of each device, or the reason why the text names none.
 */
export function devicesIn(text: string): readonly string[] | { readonly problem: string } {
  const parts = text.split(separators()).filter((part) => part !== '');
  const areUuids = parts.every((part) => oneUuid().test(part));
  const devices = (areUuids ? parts : [text]).map(normalDevice);
  const named = devices.filter((device) => device !== undefined);
  if (named.length < devices.length || named.length === 0) {
    return { problem: 'is a placeholder that phones without an id send' };
  }
  if (areUuids) return named;
  const [device = ''] = named;
  if (HOLDS_UUID.test(device)) return { problem: 'has a UUID and more: write the UUID alone' };
  const problem = characterProblem(device);
  return problem === undefined ? named : { problem };
}

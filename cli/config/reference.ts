import { InvalidArgumentError } from 'commander';
import { readClientId } from '../options.ts';

/** A client, or a version of its configuration: `pizza` or `pizza@3`. */
export interface Reference {
  readonly clientId: string;
  readonly version?: number;
}

/** A version of a client's configuration, as operators write it: `pizza@3`. */
export type VersionReference = Required<Reference>;

const VERSION = /^(.+)@([1-9]\d{0,14})$/;

/** Reads a client or a version from an argument. */
export function readReference(text: string): Reference {
  const [, clientId, version] = VERSION.exec(text) ?? [];
  if (clientId === undefined) return { clientId: readClientId(text) };
  return { clientId: readClientId(clientId), version: Number(version) };
}

/** Reads a version from an argument. */
export function readVersionReference(text: string): VersionReference {
  const { clientId, version } = readReference(text);
  if (version === undefined) {
    throw new InvalidArgumentError('Name a version as ID@N, such as pizza@3.');
  }
  return { clientId, version };
}

/** Reads a version from an argument that may also be the name of a file. */
export function readVersionOrFile(text: string): VersionReference | string {
  return VERSION.test(text) ? readVersionReference(text) : text;
}

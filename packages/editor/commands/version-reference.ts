import { InvalidArgumentError } from 'commander';
import { readClientId } from 'customer-data-api-deployment/commands';

/** A client or, with a number, one of its versions. */
export interface ClientOrVersion {
  readonly clientId: string;
  readonly version?: number;
}

/** A version of a client's configuration, as operators write it: `pizza@3`. */
export type VersionReference = Required<ClientOrVersion>;

const VERSION = /^(.+)@([1-9]\d{0,14})$/;

export function readVersionReference(text: string): VersionReference {
  const [, clientId, version] = VERSION.exec(text) ?? [];
  if (clientId === undefined) {
    throw new InvalidArgumentError('Write a version as CLIENT@NUMBER, such as pizza@3.');
  }
  return { clientId: readClientId(clientId), version: Number(version) };
}

export function readVersionOrName(text: string): VersionReference | string {
  return VERSION.test(text) ? readVersionReference(text) : text;
}

export function readClientOrVersion(text: string): ClientOrVersion {
  return VERSION.test(text) ? readVersionReference(text) : { clientId: readClientId(text) };
}

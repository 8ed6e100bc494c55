import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** The folder of the released documents. */
const RELEASES = new URL('../../openapi/releases/', import.meta.url);

/** The file name of a released document, with its version. */
const RELEASE = /^(\d+\.\d+\.\d+)\.json$/;

/** Returns the newest released document of file names such as `0.1.0.json`. */
export function newestRelease(names: readonly string[]): string {
  const newest = releasesIn(names).at(-1);
  if (!newest) throw new Error('There is no released document in openapi/releases.');
  return newest;
}

/** Returns the path of the last release's document. */
export async function lastReleasedDocument(): Promise<string> {
  return fileURLToPath(new URL(newestRelease(await readdir(RELEASES)), RELEASES));
}

/** Returns the released documents among file names, the oldest first. */
function releasesIn(names: readonly string[]): string[] {
  return names
    .filter((name) => RELEASE.test(name))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

/** A released document. It stands for the apps that were built for it. */
export interface Release {
  /** Such as `0.1.0`. */
  readonly version: string;
  /** True if the apps decode a value of a schema, such as `Field`. */
  readonly decodes: (schema: string, value: unknown) => boolean;
}

/** The released documents, the oldest first. */
export async function releasedDocuments(): Promise<Release[]> {
  const names = releasesIn(await readdir(RELEASES));
  return Promise.all(
    names.map(async (name) => {
      const document = JSON.parse(await readFile(new URL(name, RELEASES), 'utf8'));
      return releaseOf(name.replace(RELEASE, '$1'), document);
    }),
  );
}

/** A release with a document. */
function releaseOf(version: string, document: object): Release {
  // Clients ignore properties that they do not know, so the schemas stay open.
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(asGenerated(document) as object, version);
  return {
    version,
    decodes: (schema, value) => ajv.validate(`${version}#/components/schemas/${schema}`, value),
  };
}

/**
 * A document as generated clients read it: without a format, they decode an integer into 32 bits.
 */
function asGenerated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asGenerated);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, asGenerated(inner)]);
  const schema = Object.fromEntries(entries);
  if (schema.type !== 'integer' || schema.format === 'int64') return schema;
  const { minimum = -(2 ** 31), maximum = 2 ** 31 - 1 } = schema;
  return {
    ...schema,
    minimum: Math.max(minimum, -(2 ** 31)),
    maximum: Math.min(maximum, 2 ** 31 - 1),
  };
}

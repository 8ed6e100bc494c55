import { readdir, readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** The folder of the released documents. */
const RELEASES = new URL('../../openapi/releases/', import.meta.url);

/** The file name of a released document, with its version. */
const RELEASE = /^(\d+\.\d+\.\d+)\.json$/;

/** Returns the versions of the releases, the oldest first. */
export async function releasedVersions(): Promise<string[]> {
  return (await readdir(RELEASES))
    .flatMap((name) => RELEASE.exec(name)?.[1] ?? [])
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

const JSON_TYPE = 'application/json';
/** A response without its `data`. */
const SUCCESS = { errors: [], warnings: [], notices: [] };

/** A released document. It stands for the apps that were built for it. */
export interface Release {
  /** The version, such as `0.1.0`. */
  readonly version: string;
  /** True if the apps decode the `data` of a successful response of an operation. */
  readonly decodes: (path: string, data: unknown) => boolean;
}

/** The released documents, the oldest first. */
export async function releasedDocuments(): Promise<Release[]> {
  const versions = await releasedVersions();
  return Promise.all(
    versions.map(async (version) => {
      const text = await readFile(new URL(`${version}.json`, RELEASES), 'utf8');
      return releaseOf(version, JSON.parse(text));
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
    decodes: (path, data) => {
      const parts = ['paths', path, 'post', 'responses', '200', 'content', JSON_TYPE, 'schema'];
      const pointer = parts.map((part) => `/${part.replaceAll('/', '~1')}`).join('');
      return ajv.validate(`${version}#${pointer}`, { ...SUCCESS, data });
    },
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

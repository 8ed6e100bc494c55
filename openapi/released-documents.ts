import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { CommandError } from '../core/platform/command-error.ts';

/** The folder of the released documents. */
export const RELEASES = new URL('releases/', import.meta.url);

const RELEASE = /^(\d+\.\d+\.\d+)\.json$/;

/** A released document. It stands for the apps that were built for it. */
export interface Release {
  /** Such as `0.1.0`. */
  readonly version: string;
  /** Whether the apps decode a value of a schema, such as `Field`. */
  readonly decodes: (schema: string, value: unknown) => boolean;
}

/**
 * Finds the newest of the released documents.
 *
 * @param names the file names in `openapi/releases`, such as `0.1.0.json`; others are ignored.
 * @throws CommandError when there is none.
 */
export function newestRelease(names: readonly string[]): string {
  const newest = releasesIn(names).at(-1);
  if (!newest) throw new CommandError('There is no released document in openapi/releases.');
  return newest;
}

/** The path of the document of the last release. */
export async function lastReleasedDocument(): Promise<string> {
  return fileURLToPath(new URL(newestRelease(await readdir(RELEASES)), RELEASES));
}

let documents: Promise<Release[]> | undefined;

/** The released documents, the oldest first. They are read once. */
export function releasedDocuments(): Promise<Release[]> {
  documents ??= readReleases();
  return documents;
}

async function readReleases(): Promise<Release[]> {
  const names = releasesIn(await readdir(RELEASES));
  return Promise.all(
    names.map(async (name) => {
      const document = JSON.parse(await readFile(new URL(name, RELEASES), 'utf8'));
      return releaseOf(name.replace(RELEASE, '$1'), document);
    }),
  );
}

/** A release with a document. */
export function releaseOf(version: string, document: object): Release {
  // Clients ignore properties that they do not know, so the schemas stay open.
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(asGenerated(document) as object, version);
  return {
    version,
    decodes: (schema, value) => ajv.validate(`${version}#/components/schemas/${schema}`, value),
  };
}

/** A document as generated clients read it: without a format, they decode an integer into 32 bits. */
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

function releasesIn(names: readonly string[]): string[] {
  return names
    .filter((name) => RELEASE.test(name))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

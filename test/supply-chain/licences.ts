import * as v from 'valibot';

/**
 * The licences, by their SPDX id, under which a package may be part of a function: all of them permit use in a proprietary
 * product, and ask for no more than a notice.
 */
export const ALLOWED_IN_FUNCTIONS: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
];

/** The parts of a CycloneDX document that the report uses. https://cyclonedx.org/docs/1.5/json/ */
const BillOfMaterials = v.object({
  bomFormat: v.literal('CycloneDX'),
  components: v.array(
    v.object({
      name: v.string(),
      version: v.string(),
      licenses: v.optional(
        v.array(
          v.object({
            license: v.optional(
              v.object({ id: v.optional(v.string()), name: v.optional(v.string()) }),
            ),
            expression: v.optional(v.string()),
          }),
        ),
        [],
      ),
      properties: v.array(v.object({ name: v.string(), value: v.string() })),
    }),
  ),
});

/**
 * The licences of all packages, one line each with its packages: the report of a software bill of materials.
 *
 * @param json what `npm sbom` printed.
 */
export function licenceReport(json: string): string {
  const { components } = v.parse(BillOfMaterials, JSON.parse(json));
  const packages = components.filter(
    // Our own workspaces.
    ({ properties }) => !properties.some(({ name }) => name === 'cdx:npm:package:private'),
  );
  const byLicence = Map.groupBy(packages, ({ licenses }) => {
    const names = licenses.map(
      ({ license, expression }) => license?.id ?? license?.name ?? expression,
    );
    return names.join(' AND ') || 'none stated';
  });
  return [...byLicence]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([licence, found]) => {
      const names = found.map(({ name, version }) => `${name}@${version}`).sort();
      return `${licence} (${names.length}): ${names.join(', ')}`;
    })
    .join('\n');
}

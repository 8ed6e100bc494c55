/** `npm run licences`: lists all packages by licence. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The parts of a CycloneDX document that the list uses. https://cyclonedx.org/docs/1.5/json/ */
interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
  readonly properties: readonly { readonly name: string }[];
}

const sbom = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  maxBuffer: 64 * 1024 * 1024,
});
const { components }: { components: Component[] } = JSON.parse(sbom.toString());
// Our own workspaces are private.
const packages = components.filter(
  ({ properties }) => !properties.some(({ name }) => name === 'cdx:npm:package:private'),
);
const byLicence = Map.groupBy(packages, ({ licenses = [] }) => {
  const names = licenses.map(
    ({ license, expression }) => license?.id ?? license?.name ?? expression,
  );
  return names.join(' AND ') || 'none stated';
});
for (const [licence, found] of [...byLicence].sort(([, a], [, b]) => b.length - a.length)) {
  const names = found.map(({ name, version }) => `${name}@${version}`).sort();
  process.stdout.write(`${licence} (${names.length}): ${names.join(', ')}\n`);
}

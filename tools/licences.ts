/** `npm run licences`: lists all packages by licence. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

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

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
  cwd: PROJECT,
  maxBuffer: 64 * 1024 * 1024,
});
const { components }: { components: Component[] } = JSON.parse(stdout);
const packages = components.filter(
  // Our own workspaces.
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

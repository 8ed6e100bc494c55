import { productFile, productFiles } from './product.ts';

/*
 * Prints the circles of imports, and fails if there are any: in each folder, its files and folders
 * import each other in one direction, types too. Biome finds those of files alone.
 */

/** The imports of a folder's entries from others, as `FILE -> FILE`. */
type Imports = Map<string, Map<string, string[]>>;

const folders = new Map<string, Imports>();
for (const { file, source, project } of productFiles().values()) {
  for (const symbol of project.checker.getSymbolAtLocation([...source.imports])) {
    const path = symbol?.declarations[0]?.path;
    const imported = path === undefined ? undefined : productFile(path);
    if (imported !== undefined && imported !== file) add(file, imported);
  }
}
const circles = [...folders].flatMap(([folder, imports]) =>
  circlesIn(imports).map((entries) => [folder || '.', entries, imports] as const),
);
for (const [folder, entries, imports] of circles) {
  process.stderr.write(
    `In ${folder}, these import each other in a circle: ${entries.join(', ')}\n`,
  );
  for (const from of entries) {
    for (const [to, lines] of imports.get(from) ?? []) {
      if (entries.includes(to)) process.stderr.write(`${lines.join('\n')}\n`);
    }
  }
  process.exitCode = 1;
}

/** Adds an import to the folder in which the paths of the two files part. */
function add(file: string, imported: string): void {
  const [from, to] = [file.split('/'), imported.split('/')];
  const depth = from.findIndex((name, index) => name !== to[index]);
  const folder = from.slice(0, depth).join('/');
  const imports: Imports = folders.get(folder) ?? new Map();
  const [one = '', other = ''] = [from[depth], to[depth]];
  const ofOne = imports.get(one) ?? new Map<string, string[]>();
  folders.set(folder, imports.set(one, ofOne));
  ofOne.set(other, [...(ofOne.get(other) ?? []), `  ${file} -> ${imported}`]);
}

/** Returns the groups of entries that reach each other. */
function circlesIn(imports: Imports): string[][] {
  const reached = new Map([...imports.keys()].map((name) => [name, reachedFrom(name, imports)]));
  const inCircles = [...reached.keys()].filter((name) => reached.get(name)?.has(name));
  const groups = Map.groupBy(inCircles, (name) =>
    inCircles.find((one) => reached.get(one)?.has(name) && reached.get(name)?.has(one)),
  );
  return [...groups.values()];
}

function reachedFrom(name: string, imports: Imports): ReadonlySet<string> {
  const reached = new Set(imports.get(name)?.keys());
  // A set yields also what is added while it is read.
  for (const one of reached) for (const next of imports.get(one)?.keys() ?? []) reached.add(next);
  return reached;
}

import { relative } from 'node:path';
import type { SourceFile } from 'typescript/unstable/ast';
import { API, type Project } from 'typescript/unstable/sync';

/** The files of tests, experiments and examples, and what others wrote. */
const OTHERS = /(?:^|\/)(?:test|node_modules|examples|lab)\/|\.test\.tsx?$|\.d\.ts$|^\.\./;

/** A file of the product, as TypeScript reads it. */
export interface ProductFile {
  /** Its path from the root. */
  readonly file: string;
  readonly source: SourceFile;
  readonly project: Project;
}

/** Returns the path from the root; undefined for what is not the product. */
export function productFile(path: string): string | undefined {
  const file = relative(process.cwd(), path);
  return OTHERS.test(file) ? undefined : file;
}

/** Reads the product: what runs in Node, and what runs in browsers. */
export function productFiles(): ReadonlyMap<string, ProductFile> {
  const configFiles = ['tsconfig.json', 'packages/console/page/tsconfig.json'];
  const snapshot = new API().updateSnapshot({
    openProjects: configFiles.map((file) => `${process.cwd()}/${file}`),
  });
  const files = new Map<string, ProductFile>();
  for (const project of snapshot.getProjects()) {
    for (const path of project.program.getSourceFileNames()) {
      const file = productFile(path);
      const source = file !== undefined && !files.has(file) && project.program.getSourceFile(path);
      if (file !== undefined && source) files.set(file, { file, source, project });
    }
  }
  return files;
}

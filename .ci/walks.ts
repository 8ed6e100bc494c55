import { dirname } from 'node:path';
import {
  isClassDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isMethodDeclaration,
  isPrivateIdentifier,
  isShorthandPropertyAssignment,
  isTypeNode,
  isVariableDeclaration,
  isVariableStatement,
  type Node,
} from 'typescript/unstable/ast';
import { SymbolFlags } from 'typescript/unstable/sync';
import { type ProductFile, productFile, productFiles } from './product.ts';

/*
 * Prints how far somebody goes who follows the calls of a function: into each function of the
 * product once, where it is first named. A room is a file or a folder; a stay is a run of functions
 * in one room, and a return is a stay in a room that was left before. What only an interface names
 * is not followed, but the object that is given for it is.
 *
 *     npm run walks [FILE:FUNCTION...]
 */

/** The changes that people follow, each from the function where it starts. */
const STARTS: Readonly<Record<string, string>> = {
  'manual edit → version': 'functions/record-configuration-versions/handler.ts:handler',
  'publication, command line':
    'packages/editor/commands/publication/publish.ts:publishConfiguration',
  'publication, console': 'packages/console/server/drafts.ts:publishDraft',
  'rollout widened': 'packages/editor/commands/rollout.ts:rolloutCommand',
  'App-Id revoked': 'packages/editor/commands/keys.ts:revokeCommand',
  'promo event → bus': 'functions/publish-promo-events/handler.ts:handler',
};

const files = productFiles();
const given = process.argv.slice(2);
const starts = given.length > 0 ? given.map((start) => [start, start]) : Object.entries(STARTS);
print('', 'functions', 'files', 'stays', 'returns', 'folders', 'stays', 'returns');
for (const [name = '', start = ''] of starts) {
  const [path = '', wanted] = start.split(':');
  const file = files.get(path);
  const first = file && topLevel(file.source).find((node) => isNamed(node, wanted));
  if (!first) throw new Error(`There is no ${start}.`);
  const visited = walk(path, first);
  print(name, visited.length, ...figures(visited), ...figures(visited.map(dirname)));
}

/** Returns the files of the functions that a walk enters, in order. */
function walk(start: string, first: Node): string[] {
  const visited: string[] = [];
  const known = new Set<Node>();
  const enter = (file: string, node: Node) => {
    if (known.has(node)) return;
    known.add(node);
    // A constant leads to the functions that it names, and is no function itself.
    if (hasFunction(node)) visited.push(file);
    const found = files.get(file);
    for (const named of found ? namedIn(node, found) : []) enter(named.file, named.node);
  };
  enter(start, first);
  return visited;
}

/** Returns the functions, methods, classes and constants of the product that a node names. */
function namedIn(node: Node, { project: { checker }, project }: ProductFile) {
  const names = identifiersIn(node);
  return checker.getSymbolAtLocation(names).flatMap((symbol, index) => {
    const name = names[index];
    const isShort = name && isShorthandPropertyAssignment(name.parent);
    const named = isShort ? checker.getShorthandAssignmentValueSymbol(name.parent) : symbol;
    const isAlias = named && named.flags & SymbolFlags.Alias;
    const handle = (isAlias ? checker.getAliasedSymbol(named) : named)?.valueDeclaration;
    const file = handle && productFile(handle.path);
    const declared = file === undefined ? undefined : handle?.resolve(project);
    return file !== undefined && declared && isStop(declared) ? [{ file, node: declared }] : [];
  });
}

/** True for what a file declares for others, and for a method. What a function declares is its. */
function isStop(node: Node): boolean {
  return isMethodDeclaration(node) || topLevel(node.getSourceFile()).includes(node);
}

function topLevel(source: Node): Node[] {
  return childrenOf(source).flatMap((statement): Node[] =>
    isVariableStatement(statement)
      ? childrenOf(statement).flatMap(childrenOf).filter(isVariableDeclaration)
      : [statement],
  );
}

/** Returns the names in a node, in order. Types call nothing, and methods are entered by a call. */
function identifiersIn(node: Node): Node[] {
  const isOfClass = isClassDeclaration(node);
  return childrenOf(node).flatMap((child) => {
    if (isIdentifier(child) || isPrivateIdentifier(child)) return [child];
    if (isTypeNode(child) || (isOfClass && isMethodDeclaration(child))) return [];
    return identifiersIn(child);
  });
}

function hasFunction(node: Node): boolean {
  return isFunctionLikeDeclaration(node) || childrenOf(node).some(hasFunction);
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  node.forEachChild((child) => {
    children.push(child);
  });
  return children;
}

function isNamed(node: Node, name: string | undefined): boolean {
  return childrenOf(node).find(isIdentifier)?.text === name;
}

function figures(rooms: readonly string[]): number[] {
  const stays = rooms.filter((room, index) => room !== rooms[index - 1]).length;
  const entered = new Set(rooms).size;
  return [entered, stays, stays - entered];
}

function print(name: string, ...columns: readonly (string | number)[]): void {
  const cells = columns.map((column) => `${column}`.padStart(9));
  process.stdout.write(`${name.padEnd(26)}${cells.join('')}\n`);
}

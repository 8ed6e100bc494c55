import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readState, type State, type TlaValue } from './tla-value.ts';

/** A step of a path: an action of the model, and the state that it leads to, both as text. */
export interface PathStep {
  /** A step such as `TableTakes 1`: the action, its call, and sometimes a detail. */
  readonly action: string;
  readonly state: string;
}

export type Path = readonly PathStep[];

/** A transition of the graph of states. */
interface Edge {
  readonly action: string;
  /** The action, and the steps at which it finds the calls and messages. */
  readonly kind: string;
  readonly target: Node;
}

interface Node {
  readonly name: string;
  readonly edges: Edge[];
}

/** Longer paths would cover more transitions each, and be harder to read when they fail. */
const MAX_STEPS = 25;

type Fields = { readonly [name: string]: TlaValue };

/** Describes the parts of a state that can be observed in the service. */
export function describeState({ calls, table, messages, restore }: State): string {
  const lines = (list: TlaValue | undefined, line: (one: Fields) => TlaValue[]) =>
    (list as Fields[]).map((one) => line(one).join(' '));
  const { at: progress = 'no', items = [] } = restore as Fields;
  const item = ({ kind = '', date = '', by = '', token = false }: Fields) => [
    kind,
    date,
    by,
    ...(token ? ['token'] : []),
  ];
  return [
    lines(calls, ({ date = '', at = '', told = '' }) => [date, at, told]),
    lines(table, item).sort(),
    lines(messages, ({ call = '', at = '', receives = '' }) => [call, at, receives]).sort(),
    ...(progress === 'no' || progress === 'over' ? [] : [lines(items, item).sort()]),
  ]
    .map((part) => part.join(', ') || '-')
    .join(' | ');
}

/**
 * Computes paths that cover every kind of transition of a graph that TLC dumped. All transitions
 * would take 10,000 paths and most of an hour, for the same steps in more states. Only paths whose
 * first call has the date `monday` are among them.
 */
export async function coveringPaths(
  dump: string,
  most: number,
): Promise<{ paths: Path[]; transitions: number }> {
  const start = await readGraph(dump);
  const uncovered = new Map<Node, Edge[]>();
  for (const node of reachable(start)) {
    uncovered.set(node, node.edges);
  }
  const all = [...uncovered.values()].flat();
  const transitions = all.length;
  const { size: allKinds } = new Set(all.map(({ kind }) => kind));
  const kinds = new Set<string>();
  const isNew = (edge: Edge) => !kinds.has(edge.kind);
  const paths: Path[] = [];
  while (paths.length < most && kinds.size < allKinds) {
    const path: Edge[] = [];
    let node = start;
    while (path.length < MAX_STEPS) {
      const way = wayToUncovered(node, uncovered, isNew) ?? wayToUncovered(node, uncovered);
      if (!way || (path.length > 0 && path.length + way.length > MAX_STEPS)) break;
      for (const edge of way) {
        const edges = uncovered.get(node) ?? [];
        uncovered.set(
          node,
          edges.filter((one) => one !== edge),
        );
        kinds.add(edge.kind);
        path.push(edge);
        node = edge.target;
      }
    }
    if (path.length === 0) break;
    paths.push(path.map(({ action, target }) => ({ action, state: target.name })));
  }
  return { paths, transitions };
}

/** The shortest way that ends with a transition that no path covers yet. */
function wayToUncovered(
  from: Node,
  uncovered: ReadonlyMap<Node, Edge[]>,
  counts: (edge: Edge) => boolean = () => true,
): Edge[] | undefined {
  const ways = new Map<Node, Edge[]>([[from, []]]);
  for (const [node, way] of ways) {
    const next = uncovered.get(node)?.find(counts);
    if (next) return [...way, next];
    for (const edge of node.edges) {
      if (!ways.has(edge.target)) ways.set(edge.target, [...way, edge]);
    }
  }
  return undefined;
}

function reachable(start: Node): Set<Node> {
  const nodes = new Set([start]);
  for (const node of nodes) for (const { target } of node.edges) nodes.add(target);
  return nodes;
}

/** Reads the graph in the form of Graphviz. Returns the initial state. */
async function readGraph(dump: string): Promise<Node> {
  const states = new Map<string, State>();
  const nodes = new Map<string, Node>();
  const text = await readFile(dump, 'utf8');
  let start: Node | undefined;
  for (const [, id = '', label = ''] of text.matchAll(/^(-?\d+) \[label="((?:[^"\\]|\\.)*)"/gm)) {
    const state = readState(
      label.replaceAll('\\n', '\n').replaceAll('\\"', '"').replaceAll('\\\\', '\\'),
    );
    states.set(id, state);
    nodes.set(id, { name: describeState(state), edges: [] });
    start ??= nodes.get(id);
  }
  for (const [, from = '', to = '', name] of text.matchAll(
    /^(-?\d+) -> (-?\d+) \[label="(\w+)"/gm,
  )) {
    const [node, target, before, after] = [
      nodes.get(from),
      nodes.get(to),
      states.get(from),
      states.get(to),
    ];
    if (!node || !target || !before || !after) throw new Error(`The graph lacks ${from} or ${to}.`);
    const call = callOf(before, after);
    const date = (after.calls as Fields[])[call - 1]?.date;
    if (node === start && date !== 'monday') continue;
    const removed = removedItem(before, after)?.kind;
    const detail = name === 'Send' ? date : name === 'ItemExpires' ? removed : undefined;
    const action = [name, call, detail ?? []].flat().join(' ');
    node.edges.push({ action, kind: `${action} at ${stepsOf(before)}`, target });
  }
  if (!start) throw new Error('The graph is empty.');
  for (const { edges } of nodes.values()) {
    edges.sort((one, other) => compare(hash(one), hash(other)));
  }
  return start;
}

function stepsOf({ calls, messages }: State): string {
  return [calls, messages].map((list) => (list as Fields[]).map(({ at }) => at)).join(' | ');
}

/** The number of the call whose state, message or item a step changed. */
function callOf(before: State, after: State): number {
  const calls = after.calls as TlaValue[];
  const other = before.calls as TlaValue[];
  const removed = removedItem(before, after);
  if (removed) return Number(removed.by);
  const changed = calls?.findIndex((call, index) => !isEqual(call, other[index])) ?? -1;
  if (changed >= 0) return changed + 1;
  for (const name of ['messages', 'table', 'stream', 'dead', 'bus']) {
    const [one, two] = [before[name] as Fields[], after[name] as Fields[]];
    const different = [
      ...(two ?? []).filter((item) => !one.some((same) => isEqual(item, same))),
      ...(one ?? []).filter((item) => !two.some((same) => isEqual(item, same))),
    ];
    const [first] = different;
    // A record of the stream and a letter have their item.
    const { call, by } = { ...first, ...(first?.item as Fields | undefined) };
    if (first) return Number(call ?? by);
  }
  return 0;
}

/** The item that a step removes. */
function removedItem(before: State, after: State): Fields | undefined {
  const [table = [], left = []] = [before.table as Fields[], after.table as Fields[]];
  if (left.length >= table.length) return undefined;
  return table.find((item) => !left.some((one) => isEqual(one, item)));
}

function isEqual(one: TlaValue | undefined, other: TlaValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Gives edges an order that mixes the actions, and is the same each time, as TLC's is not. */
function hash({ action, target }: Edge): string {
  return createHash('sha1').update(`${action} ${target.name}`).digest('hex');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Writes paths as text: a paragraph per path, a line per step. */
export function writePaths(paths: readonly Path[]): string {
  const lines = paths.map((path) =>
    path.map(({ action, state }) => `${action} → ${state}\n`).join(''),
  );
  return lines.join('\n');
}

/** Reads what `writePaths` wrote. */
export function readPaths(text: string): Path[] {
  return text
    .trim()
    .split('\n\n')
    .map((path) =>
      path.split('\n').map((line) => {
        const [action = '', state = ''] = line.split(' → ');
        return { action, state };
      }),
    );
}

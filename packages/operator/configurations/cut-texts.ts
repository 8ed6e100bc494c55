import type { Finding } from 'customer-data-api/configuration';
import { withoutCurlyQuotes } from 'customer-data-api/configuration';
import { type Document, isPair, visit } from 'yaml';

/** The attributes whose text customers read. */
const READ: readonly unknown[] = ['fieldName', 'addButtonText', 'placeHolderText', 'display'];
/** Those of a translation's options are below their values. */
const isReadAt = (path: Finding['path']) =>
  READ.includes(path.at(-1)) || (path[2] === 'translations' && path.length > 4);

/**
 * Finds unquoted texts of which YAML keeps a part: `#` begins a comment, `&` names a value, and `!`
 * its type. Behind a text that customers do not read, a comment has a space after its `#`.
 */
export function cutTexts(document: Document, text: string): Finding[] {
  const found: Finding[] = [];
  const aliases = new Set<string>();
  const places = new Map<unknown, number>();
  visit(document, {
    Alias: (_, { source }) => void aliases.add(source),
    Seq: (_, { items }) => items.forEach((item, index) => void places.set(item, index)),
  });
  visit(document, {
    Scalar: (key, node, ancestors) => {
      const { type, value, tag, anchor, range } = node;
      if (key === 'key' || type !== 'PLAIN' || !range) return;
      const path = pathOf([...ancestors, node], places);
      const [comment = ''] = /^[ \t]*#.*/.exec(text.slice(range[1])) ?? [];
      const isRead = isReadAt(path);
      const isText = isRead || typeof value === 'string' || node.source === '';
      const isNote = !isText || (!isRead && /^\s*# /.test(comment));
      const name = anchor !== undefined && !aliases.has(anchor) ? `&${anchor} ` : '';
      const before = `${name}${tag === '!' ? '! ' : ''}`;
      const cut = isNote ? '' : comment.trimEnd();
      if (`${before}${cut}` === '') return;
      const own = typeof value === 'string' ? value : (node.source ?? '');
      const all = `${before}${own}${cut}`.trim();
      const quoted = JSON.stringify(withoutCurlyQuotes(all));
      const kept = own ? `only ${JSON.stringify(own)} is kept` : 'is empty';
      const why = cut ? ', because # begins a comment' : '';
      const line = cut.startsWith(' # ') ? '; give a comment a line of its own' : '';
      const message = `${kept}${why}. To keep it all, write ${quoted} in quotes${line}`;
      found.push({ severity: 'warning', code: cut ? 'commentInText' : 'cutText', path, message });
    },
  });
  return found;
}

/** Returns the path to the last of some nodes, each of which contains the next. */
function pathOf(nodes: readonly unknown[], places: ReadonlyMap<unknown, number>): Finding['path'] {
  return nodes.flatMap((node): Finding['path'] => {
    if (isPair(node)) return [String(node.key)];
    const place = places.get(node);
    return place === undefined ? [] : [place];
  });
}

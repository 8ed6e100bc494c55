/** A value of TLA+: sets and sequences are lists, records and functions are objects. */
export type TlaValue = string | number | boolean | TlaValue[] | { [name: string]: TlaValue };

/** The variables of a state, by name. */
export type State = Readonly<Record<string, TlaValue>>;

const TOKEN = /<<|>>|\|->|:>|@@|[{}[\](),]|"[^"]*"|-?\d+|\w+/g;
const CLOSING: Readonly<Record<string, string>> = { '<<': '>>', '{': '}', '[': ']', '(': ')' };

/** Reads a state as TLC prints it: `/\ name = value`, for each variable. */
export function readState(text: string): State {
  const variables = text.split(/^\/\\ /m).filter((part) => part.trim() !== '');
  return Object.fromEntries(
    variables.map((variable) => {
      const [name = '', value = ''] = variable.split(/ = ([\s\S]*)/);
      return [name, readValue([...value.matchAll(TOKEN)].map(([token]) => token))];
    }),
  );
}

/** Reads a value from the start of a list of tokens, and removes them. */
function readValue(tokens: string[]): TlaValue {
  const token = tokens.shift() ?? '';
  const closing = CLOSING[token];
  if (!closing) return readAtom(token);
  const values: TlaValue[] = [];
  const entries: Record<string, TlaValue> = {};
  while (tokens[0] !== closing) {
    const value = readValue(tokens);
    if (tokens[0] === '|->' || tokens[0] === ':>') {
      tokens.shift();
      entries[String(value)] = readValue(tokens);
    } else {
      values.push(value);
    }
    if (tokens[0] === ',' || tokens[0] === '@@') tokens.shift();
  }
  tokens.shift();
  return token === '<<' || token === '{' ? values : entries;
}

function readAtom(token: string): TlaValue {
  if (/^-?\d+$/.test(token)) return Number(token);
  if (token === 'TRUE' || token === 'FALSE') return token === 'TRUE';
  return token.replaceAll('"', '');
}

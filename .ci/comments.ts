import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The width of comments and prose, equal to that of code. Biome does not check it. */
const WIDTH = 100;

/** A doc comment begins with a verb in the third person, or with a noun. */
const CLAUSE =
  /\/\*\*\s+(?:\* )?(After|Also|As|At|By|For|How|If|In|It|Of|So|That|They|Those|What|When|Where|Whether|Which|While|Who|Why|With|Without)\b/g;

const files = execFileSync('git', ['ls-files', '-z', '*.ts', '*.tsx', '*.mjs', '*.tla', '*.md'])
  .toString()
  .split('\0')
  .filter((file) => existsSync(file));

const wide = files.flatMap((file) => {
  const isWide = file.endsWith('.md') ? isWideProse() : isWideComment;
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      isWide(line) ? [`${file}:${index + 1} has ${line.length} columns`] : [],
    );
});
if (wide.length > 0) {
  process.stderr.write(`${wide.join('\n')}\nWrap comments and prose at ${WIDTH} columns.\n`);
  process.exitCode = 1;
}

const clauses = files
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(CLAUSE)].map(({ index, 1: word }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${file}:${line} begins with ${word}`;
    });
  });
if (clauses.length > 0) {
  process.stderr.write(
    `${clauses.join('\n')}\nBegin a doc comment with a verb in the third person, or with a noun.\n`,
  );
  process.exitCode = 1;
}

/** True for a wide comment that can be wrapped: not a directive, and not a single word. */
function isWideComment(line: string): boolean {
  const [, text = ''] = /^\s*(?:\/\/|\/?\*\*?|\\\*) (.*)$/.exec(line) ?? [];
  return line.length > WIDTH && /\S \S/.test(text) && !/^(biome-ignore|@ts-|\|)/.test(text);
}

/** Returns a function that does the same for the lines of a document, in order. */
function isWideProse(): (line: string) => boolean {
  let isCode = false;
  return (line) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    return (
      line.length > WIDTH && !isCode && !/^\s*(\||\[|!\[|<|`)/.test(line) && /\S \S/.test(line)
    );
  };
}

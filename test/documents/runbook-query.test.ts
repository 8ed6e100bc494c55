import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readDocument } from '../support/documents/document.ts';

/* The function `query` of the runbook, whose empty result the tables take for another fault. */

const { text } = await readDocument('docs/runbook.md');
const [, block = ''] = /```sh parsed\n( *stack=(?:.*\n)+?) *query failed\n/.exec(text) ?? [];

/** Runs the function while CloudWatch Logs says each of these in turn. */
function query(...statuses: readonly string[]): string {
  const script = `
    said="$(mktemp)"; echo ${statuses.join(' ')} > "$said"
    aws() {
      case "$*" in
        *start-query*) echo id ;;
        *'--query status'*) read -r now later < "$said"; echo "$later" > "$said"; echo "$now" ;;
        *get-query-results*) echo rows ;;
      esac
    }
    node() { case "$*" in *setTimeout*) ;; *) echo 0 ;; esac; }
    ${block}
    query failed
    rm "$said"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' });
}

test('waits until it is complete', () => {
  expect(query('Scheduled', 'Running', 'Running', 'Complete')).toBe('rows\n');
});

test.each(['Timeout', 'Failed', ''])('says that it is not, if it ends as "%s"', (status) => {
  expect(query('Running', status)).toMatch(/^NOT COMPLETE.+\nrows\n$/);
});

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { SCHEMAS, VECTOR_CASES } from '../../packages/sdk/test/support/schema-cases.ts';
import { pythonProgram } from '../python.ts';
import { isInstalled } from './programs.ts';

const PROGRAM = `
import json, sys, jsonschema_rs
given = json.load(sys.stdin)
validators = [jsonschema_rs.Draft202012Validator(schema) for schema in given["schemas"]]
print(json.dumps([validators[one["screen"]].is_valid(one["answers"]) for one in given["cases"]]))
`;

test.skipIf(!isInstalled('Python 3.10'))(
  'a validator in Rust accepts the answers of the test vectors that are right',
  async () => {
    const cases = VECTOR_CASES.filter(({ isValid }) => isValid !== undefined);
    const input = JSON.stringify({ schemas: SCHEMAS, cases });
    const python = await pythonProgram('python');
    const { stdout, stderr } = spawnSync(python, ['-c', PROGRAM], { input, encoding: 'utf8' });
    expect(stderr).toBe('');
    const verdicts: boolean[] = JSON.parse(stdout);
    expect(cases.map((one, at) => ({ ...one, isValid: verdicts[at] }))).toEqual(cases);
  },
);

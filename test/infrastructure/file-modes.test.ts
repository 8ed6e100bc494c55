import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { IS_WHOLE } from '../support/runs.ts';
import { EVERY_ALARM, templateOf, VARIANTS, variant } from './variants.ts';

/*
 * Lambda runs a function as a user who owns none of its files. The hash of a bundle covers no
 * modes, so a later deployment would not repair them.
 */

const FUNCTION = 'AWS::Lambda::Function';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** A stack with every function, synthesized with a umask. */
function synthesizedWith(umask: number) {
  const former = process.umask(umask);
  try {
    const stack = variant(EVERY_ALARM, { 'aws:cdk:bundling-stacks': ['**'] });
    return { stack, ids: Object.keys(Template.fromStack(stack).findResources(FUNCTION)) };
  } finally {
    process.umask(former);
  }
}

// The strictest, and one that lets a group write.
test.each(IS_WHOLE ? ['077', '002'] : ['077'])(
  'every user can read each file of each function after a synthesis with umask %s',
  (umask) => {
    const { stack, ids } = synthesizedWith(Number.parseInt(umask, 8));
    for (const settings of Object.values(VARIANTS)) {
      const others = Object.keys(templateOf(settings).findResources(FUNCTION));
      expect(ids).toEqual(expect.arrayContaining(others));
    }
    const { outdir } = App.of(stack) as App;
    const folders = readdirSync(outdir).filter((name) => name.startsWith('asset.'));
    expect(folders).toHaveLength(ids.length);
    const modes = folders.map((name) => {
      const folder = join(outdir, name);
      const files = readdirSync(folder).map((file) => modeOf(join(folder, file)));
      return { folder: modeOf(folder), files: [...new Set(files)] };
    });
    expect(modes).toEqual(folders.map(() => ({ folder: '755', files: ['644'] })));
  },
);

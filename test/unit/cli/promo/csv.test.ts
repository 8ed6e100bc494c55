import { expect, test } from 'vitest';
import { csvLine } from '../../../../cli/promo/csv.ts';

test.each<[string[], string]>([
  [['a', 'b'], 'a,b'],
  [['a', '', 'b'], 'a,,b'],
  [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"'],
  [['=1+1', '+1', '-1', '@x', 'a=1'], "'=1+1,'+1,'-1,'@x,a=1"],
  [['\t=1+1', '\r=1+1'], '\'\t=1+1,"\'\r=1+1"'],
  [['=HYPERLINK("x","y")'], '"\'=HYPERLINK(""x"",""y"")"'],
])('%j is %j', (values, expected) => {
  expect(csvLine(values)).toBe(expected);
});

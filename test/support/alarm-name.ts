/** The name of an alarm as a template has it: a string, or one that ends with a version. */
export type AlarmName = string | { readonly 'Fn::Join': readonly [string, readonly [string]] };

/** Returns the name of an alarm of the stage `test` without its stack and its version. */
export function shortName(name: AlarmName): string {
  const text = typeof name === 'string' ? name : name['Fn::Join'][1][0].replace(/-$/, '');
  return text.replace('CustomerDataApi-test/', '');
}

/** The definition of a table whose keys are strings, as `createTable` takes it. */
export const newTable = (tableName: string, ...keys: readonly string[]) => ({
  tableName,
  keySchema: keys.map((AttributeName, index) => ({
    AttributeName,
    KeyType: index === 0 ? ('HASH' as const) : ('RANGE' as const),
  })),
  attributeDefinitions: keys.map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S' as const,
  })),
});

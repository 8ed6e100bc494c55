/** dynalite has no types of its own. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** `path` is the data folder (default: in memory). The times are durations of table changes. */
  export default function dynalite(options: {
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
  }): Server;
}

/** The functions shared by dynalite's actions, which call each other through this object. */
declare module 'dynalite/db/index.js' {
  import type { AttributeValue } from '@aws-sdk/client-dynamodb';

  const db: {
    /** Returns the error of a write if its condition does not hold. */
    checkConditional(
      write: object,
      item: object | undefined,
    ): (Error & { readonly body: object }) | null | undefined;
    /** Finds a value in an item. */
    readonly mapPath: (path: readonly unknown[], item: object) => AttributeValue | undefined;
  };
  export default db;
}

/** The properties of a request that `PutItem` reads; it drops all others. */
declare module 'dynalite/validations/putItem.js' {
  export const types: Record<string, { type: string; enum?: readonly string[] }>;
}

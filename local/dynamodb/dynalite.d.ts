/** dynalite has no types of its own. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  /**
   * `path` is the data folder (in memory without it). The times are how long table changes take.
   */
  export default function dynalite(options: {
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
  }): Server;
}

/** The functions that dynalite's actions share. They call each other through this object. */
declare module 'dynalite/db/index.js' {
  import type { AttributeValue } from '@aws-sdk/client-dynamodb';

  const db: {
    /** Returns the error of a write whose condition does not hold. */
    checkConditional(write: object, item: object | undefined): Error | null | undefined;
    /** Finds a value in an item. */
    readonly mapPath: (path: readonly unknown[], item: object) => AttributeValue | undefined;
  };
  export default db;
}

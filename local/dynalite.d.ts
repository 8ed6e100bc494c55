/** dynalite has no types of its own. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** `path` is the data folder (in memory without it). The times are how long table changes take. */
  export default function dynalite(options: {
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
  }): Server;
}

/** dynalite brings no types of its own. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** `path` is the folder of the data (in memory without it); the times are those that changes of tables take. */
  export default function dynalite(options: {
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
  }): Server;
}

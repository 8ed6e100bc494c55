import type { Outputs } from '../../cli/outputs.ts';

/** A deployed stack. */
export interface Deployment {
  readonly stackName: string;
  readonly outputs: Outputs;
  readonly outputsFile: string;
  /** The base URL of the API. */
  readonly url: string;
  readonly print: (line: string) => void;
}

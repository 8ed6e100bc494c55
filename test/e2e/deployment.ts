import type { Outputs } from '../../cli/outputs.ts';

/** What was deployed. */
export interface Deployment {
  readonly stackName: string;
  readonly outputs: Outputs;
  readonly outputsFile: string;
  /** The base URL of the API. */
  readonly url: string;
  readonly print: (line: string) => void;
}

import { comparableId } from 'customer-data-api/configuration';
import { documentClient } from 'customer-data-api-deployment';
import type { Change, CommandContext, Done, Shown } from 'customer-data-api-deployment/change';
import { takesImports } from 'customer-data-api-deployment/outputs';
import { readTextFile, UsageError } from 'customer-data-api-deployment/program';
import { readExistingClient } from 'customer-data-api-editor/clients';
import { awsTime } from '../aws-time.ts';
import { throwForOperator } from '../erase.ts';
import { type Counts, type ImportRun, importEvents } from './import-events.ts';
import { type Rows, readRows } from './read-rows.ts';

/** The file to import, the client that its codes are of, and the most items a second. */
interface Import {
  readonly file: string;
  readonly clientId: string;
  readonly rate: number;
}

/** Numbers of rows, also of those that are not written. */
export interface Sums extends Readonly<Counts> {
  readonly rows: number;
  readonly refused: Rows['refused'];
}

/** The effect of an import. */
interface ShownImport extends Shown {
  readonly file: Rows;
  /** Undefined if nobody reads it. */
  readonly sums: Sums | undefined;
  /** Some ids of the file, which the claim of tokens must have. */
  readonly users: readonly string[];
  /** UUIDs with letters in upper case of which nothing is stored. */
  readonly capitals: readonly string[];
}

/** Imports codes that were applied elsewhere. They are no news, so nothing is published. */
export function promoImport({
  file: path,
  clientId,
  rate,
}: Import): Change<ShownImport, Sums & Done, CommandContext> {
  return {
    isUnsigned: true,
    async show(context) {
      const { deployment, tables, isDryRun, isAsked } = context;
      if (!takesImports(deployment.outputs)) {
        throw new UsageError(
          `Nothing was imported: the release of ${deployment.stackName} would publish each imported code. Deploy the current release, then try again.`,
        );
      }
      const { promoCodesIgnoreCase: ignoresCase } = await readExistingClient(tables, clientId);
      const text = await readTextFile('The file', path);
      const { outputs } = deployment;
      using documents = documentClient(outputs);
      const now = await awsTime(documents, outputs.PromoEventsTableName);
      const file = readRows(text, { clientId, ignoresCase, now });
      const capitals = new Set<string>();
      const isShown = isDryRun || isAsked;
      const sums = isShown ? await importFile(context, file, false, capitals) : undefined;
      return {
        // What was left of users who were erased is removed.
        hasEffect: !sums || sums.imported + sums.erased > 0,
        typed: clientId,
        file,
        sums,
        users: [...new Set(file.events.map(({ userId }) => userId))]
          .filter((userId) => comparableId(userId) === userId || capitals.has(userId))
          .slice(0, 3),
        capitals: [...capitals],
        failure: sums?.failure,
      };
    },
    apply: (context, { file }) => importFile(context, file, true),
  };

  async function importFile(
    { deployment: { outputs }, onCount: onDone, signal }: CommandContext,
    { events, repeated, refused }: Rows,
    writes: boolean,
    capitals?: Set<string>,
  ): Promise<Sums & Done> {
    using documents = documentClient(outputs);
    const { PromoEventsTableName, ErasuresTableName, PromoEventRetentionDays } = outputs;
    const run: ImportRun = {
      clientId,
      table: { documentClient: documents, tableName: PromoEventsTableName },
      erasures: { documentClient: documents, tableName: ErasuresTableName },
      retentionDays: Number(PromoEventRetentionDays),
      now: await awsTime(documents, PromoEventsTableName),
      rate,
      writes,
      onDone,
      signal,
    };
    const counts: Counts = { imported: 0, there: repeated, erased: 0, expired: 0 };
    const rows = events.length + repeated + refused.length;
    try {
      await importEvents(run, events, counts, capitals).catch(throwForOperator);
      return { rows, refused, ...counts };
    } catch (failure) {
      return { rows, refused, ...counts, failure };
    }
  }
}

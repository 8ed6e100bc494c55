import { comparableId } from 'customer-data-api/configuration';
import { documentClient } from 'customer-data-api-deployment';
import type { Change, CommandContext, Done, Shown } from 'customer-data-api-deployment/change';
import { readTextFile } from 'customer-data-api-deployment/program';
import { readExistingClient } from 'customer-data-api-editor/clients';
import { awsTime } from '../aws-time.ts';
import { throwForOperator } from '../erase.ts';
import { promoError } from '../words.ts';
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
  /** Rows with the user and the code of one before. */
  readonly repeated: number;
  readonly refused: Rows['refused'];
  /** UUIDs with letters in upper case of which nothing was stored. */
  readonly capitals: readonly string[];
}

/** The effect of an import. */
interface ShownImport extends Shown {
  readonly file: Rows;
  /** Undefined if nobody reads it. */
  readonly sums: Sums | undefined;
  /** Some ids of the file, which the claim of tokens must have. */
  readonly users: readonly string[];
  readonly ignoresCase: boolean;
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
      const { promoCodesIgnoreCase: ignoresCase } = await readExistingClient(tables, clientId);
      const text = await readTextFile('The file', path);
      const { outputs } = deployment;
      using documents = documentClient(outputs);
      const now = await awsTime(documents, outputs.PromoEventsTableName);
      const file = readRows(text, { clientId, ignoresCase, now });
      const isShown = isDryRun || isAsked;
      const sums = isShown ? await importFile(context, file, false) : undefined;
      return {
        // It removes what was left of users who were erased.
        hasEffect: !sums || sums.imported + sums.erased > 0,
        typed: clientId,
        file,
        sums,
        users: [...new Set(file.events.map(({ userId }) => userId))]
          .filter((id) => comparableId(id) === id || sums?.capitals.includes(id))
          .slice(0, 3),
        ignoresCase: ignoresCase === true,
        failure: sums?.failure ?? (isDryRun ? refusalOf(file) : undefined),
      };
    },
    apply: (context, { file }) => importFile(context, file, true),
  };

  async function importFile(
    { deployment: { outputs }, onCount: onDone, signal }: CommandContext,
    { events, repeated, refused }: Rows,
    writes: boolean,
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
    const counts: Counts = { imported: 0, there: 0, erased: 0, expired: 0 };
    const capitals = new Set<string>();
    const rows = events.length + repeated + refused.length;
    const failure = await importEvents(run, events, counts, capitals)
      .catch(throwForOperator)
      .then(() => (writes ? refusalOf({ refused }) : undefined))
      .catch((error: unknown) => error);
    const sums = { rows, ...counts, repeated, refused, capitals: [...capitals] };
    return { ...sums, ...(failure !== undefined && { failure }) };
  }
}

/** Returns the failure of a file with rows that are not imported; undefined if it has none. */
function refusalOf({ refused }: Pick<Rows, 'refused'>) {
  return refused.length > 0 ? promoError('refusedRows', { rows: refused.length }) : undefined;
}

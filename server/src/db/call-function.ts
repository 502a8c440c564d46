import { arrayText } from './array-text.ts';
import type { Sql } from './sql.ts';

export type SchemaFunction = {
  /** The name in server/schema/functions. */
  name: string;
  /** The select list of its result. */
  columns: string;
  /** Casts of arguments sent as another type: an enum array is parsed faster as text. */
  casts?: Readonly<Record<string, string>>;
};

/** Calls a schema function with named arguments. */
export async function callFunction<Row>(
  sql: Sql,
  { name, columns, casts = {} }: SchemaFunction,
  args: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  const list = Object.keys(args).map((arg, i) => `${arg} => $${i + 1}${casts[arg] ?? ''}`);
  return await sql.query<Row>(
    `select ${columns} from ${name}(${list.join(', ')})`,
    Object.values(args).map((value) => (Array.isArray(value) && arrayText(value)) || value),
    name.replaceAll('_', '-'),
  );
}

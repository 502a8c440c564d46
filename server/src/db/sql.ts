/** Runs statements: on the pool, in a transaction, or on a connection of its own. */
export type Sql = {
  query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>;
};

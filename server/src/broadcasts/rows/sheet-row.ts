/** A row of a table as it was read. */
export type SheetRow = {
  /** As the file shows it: the first row is 1, and empty rows count. */
  number: number;
  cells: string[];
};

/** What a cell of a file may hold. Numbers are our own counts; texts may come from anybody. */
export type Cell = string | number | null;

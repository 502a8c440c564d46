/** Opened by Excel as it is: a byte order mark, semicolons, and lines as on Windows. */
export function sampleFile(rows: readonly (readonly string[])[]): Blob {
  const lines = rows.map((cells) => `${cells.join(';')}\r\n`);
  return new Blob(['\uFEFF', ...lines], { type: 'text/csv;charset=utf-8' });
}

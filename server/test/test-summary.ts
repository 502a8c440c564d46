import { appendFileSync } from 'node:fs';

/** Prints the text now, and again in the summary that the runner prints after all rings. */
export function addToSummary(text: string): void {
  console.log(text);
  const file = process.env.ZHIBER_TEST_SUMMARY;
  if (file !== undefined) appendFileSync(file, `${text}\n`);
}

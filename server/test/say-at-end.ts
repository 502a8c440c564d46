import { appendFileSync } from 'node:fs';

/** Says it where it belongs, and once more when all rings are over. */
export function sayAtEnd(text: string): void {
  console.log(text);
  const file = process.env.ZHIBER_TEST_SUMMARY;
  if (file !== undefined) appendFileSync(file, `${text}\n`);
}

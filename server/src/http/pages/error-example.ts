import type { ErrorCode } from '@zhiber/contract/api/errors.ts';
import { errorExample } from '../api/openapi-examples.ts';

/** The body that the API answers with, as a reader of the page would see it. */
export function exampleAnswer(code: ErrorCode, siteUrl: string): string {
  return JSON.stringify(errorExample(code, siteUrl, 'phone'), null, 2);
}

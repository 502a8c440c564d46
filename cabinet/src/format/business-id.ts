import { isBusinessId } from '@zhiber/contract/cabinet/business-id.ts';

/** What is wrong with a БИН or ИИН: too few digits, or a last digit that does not fit the others. */
export function businessIdFault(text: string): 'length' | 'checksum' | undefined {
  if (!/^\d{12}$/.test(text)) return 'length';
  return isBusinessId(text) ? undefined : 'checksum';
}

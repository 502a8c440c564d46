import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { OVERLAP_HOURS } from '@zhiber/contract/api/limits.ts';
import type { CompanyId, KeyId } from '../ids.ts';

export type MessageLanguage = 'ru' | 'kk' | 'both';

/** A key as a request meets it: whose it is and what it may do. */
export type ApiKey = {
  id: KeyId;
  companyId: CompanyId;
  isTest: boolean;
  isRevoked: boolean;
  domain: string | null;
  /** Enabled channels in the order in which `auto` tries them. */
  channels: readonly Channel[];
  codeLength: number;
  codeTtlSeconds: number;
  fallbackSeconds: number;
  language: MessageLanguage;
  brand: string | null;
  ratePerMinute: number | null;
};

/** For how long a replaced secret goes on. */
export type RotationOverlapHours = (typeof OVERLAP_HOURS)[number];

import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { OVERLAP_HOURS } from '@zhiber/contract/api/limits.ts';
import type { MessageLanguage } from '@zhiber/contract/message/message-text.ts';
import type { CompanyId, KeyId } from '../ids.ts';

/** A key as requests use it: its company, its settings and what it may do. */
export type ApiKey = {
  id: KeyId;
  companyId: CompanyId;
  isTest: boolean;
  isRevoked: boolean;
  /** When it ends; null for never. */
  expiresAt: Date | null;
  /** By the clock of the database, when the key was read. */
  isExpired: boolean;
  /** The operator has suspended its company. */
  isSuspended: boolean;
  domain: string | null;
  /** Enabled channels in the order in which `auto` tries them. */
  channels: readonly Channel[];
  codeLength: number;
  codeTtlSeconds: number;
  fallbackSeconds: number;
  language: MessageLanguage;
  brand: string | null;
  ratePerMinute: number | null;
  /** The name that SMS of its company come from; null for the one in the provider's settings. */
  senderName: string | null;
  /** The key that the installation itself sends with, at the operator's cost. */
  isSystem: boolean;
};

/** How long a replaced secret stays valid. */
export type RotationOverlapHours = (typeof OVERLAP_HOURS)[number];

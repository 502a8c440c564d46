import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import type { MessageDetail } from '@zhiber/contract/cabinet/messages.ts';
import type { Operation } from '@zhiber/contract/cabinet/playground.ts';
import type { Switches } from '@zhiber/contract/try.ts';
import type { ReactNode } from 'react';
import type { ApiRequest } from '../snippets/request-body.ts';
import type { ReceivedMessage } from '../ui/phone/received-message.ts';
import type { Prices } from './price-range.ts';
import type { Carries } from './request/fields.ts';

/** A key to make calls with. */
export type PlaygroundKey = Pick<Key, 'id' | 'mode' | 'channels' | 'language' | 'brand'> & {
  /** The key itself, known at `/try` alone. */
  text?: string;
};

export type Story = Pick<
  MessageDetail,
  'id' | 'phone' | 'mode' | 'state' | 'channel' | 'cost' | 'at' | 'steps'
>;

/** What came of a call. A refusal by the API is an answer like any other. */
export type Outcome =
  | { kind: 'answered'; status: number; body: unknown; ms: number; requestId: string | undefined }
  | { kind: 'away' }
  | { kind: 'tooSlow'; seconds: number }
  /** The cabinet did not run it, for example without the right to. */
  | { kind: 'refused'; error: Error };

export type PhoneListener = {
  onConnection: (isOpen: boolean) => void;
  /** `isReplayed`: it was on the phone before this page connected. */
  onMessage: (message: ReceivedMessage, isReplayed: boolean) => void;
  /** Every message that was on the phone has been told. */
  onReplayed: () => void;
  onReceipt: (messageId: string) => void;
};

/** What the playground asks of the server: one implementation for the cabinet, one for `/try`. */
export type PlaygroundBackend = {
  run: (key: PlaygroundKey, operation: Operation, request: ApiRequest) => Promise<Outcome>;
  readStory: (messageId: string) => Promise<Story>;
  /** Follows the virtual phone until the returned function is called. */
  listen: (listener: PhoneListener) => () => void;
  clearPhone: () => Promise<void>;
  /** Absent outside of the sandbox. */
  switches?: {
    read: () => Promise<Switches>;
    /** Returns what the server has now. */
    change: (switches: Switches) => Promise<Switches>;
  };
};

export type PlaygroundFacts = {
  keys: readonly PlaygroundKey[];
  prices: Prices;
  /** The price of an SMS is that of each of its parts. */
  isSmsPerPart: boolean;
  carries: Record<Key['mode'], Carries>;
  /** Undefined while they are not known. */
  groups: readonly { name: string; channel: Channel }[] | undefined;
  baseUrl: string;
  /** Nothing leaves this machine, so live keys have a virtual phone too. */
  isSandbox: boolean;
  /** The phone of the person who is signed in. */
  ownPhone: string | null;
};

/** Links to other pages of the cabinet. `/try` shows only the id of a request. */
export type PlaygroundLinks = {
  request: (id: string) => ReactNode;
  message: (id: string) => ReactNode;
  groups: ReactNode;
};

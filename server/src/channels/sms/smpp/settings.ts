import type { IdForm } from './message-id.ts';

export type SmppSettings = {
  /** The name or address of the message centre. */
  host: string;
  /** 2775 when not given. */
  port?: number;
  /** Whether TLS is spoken on the port; not by default. */
  tls?: boolean;
  /** In PEM, the authority that the centre's certificate is from, when it is not a public one. */
  tlsCa?: string;
  /** At most 15 characters. */
  systemId: string;
  /** Secret; at most 8 characters. */
  password: string;
  /** Only where the operator asks for one; at most 12 characters. */
  systemType?: string;
  /** The name or number that people see: at most 11 characters, or 15 digits. */
  sender: string;
  /** How many messages may wait for their response; 10 when not given. */
  window?: number;
  /** As agreed with the operator; without it, as fast as the window lets. */
  ratePerSecond?: number;
  /** How often the centre is asked whether it is there; 30 when not given. */
  enquireSeconds?: number;
  /** How long a response may take; 3500 when not given. */
  responseTimeoutMs?: number;
  /** How ids in receipts differ from those in responses; `same` when not given. */
  idForm?: IdForm;
  /** How parts say that they belong together; `udh` when not given. */
  concatenation?: 'udh' | 'sar';
};

/** With everything filled in that has a default. */
export type FullSettings = SmppSettings & typeof DEFAULTS;

const DEFAULTS = {
  port: 2775,
  tls: false,
  systemType: '',
  window: 10,
  enquireSeconds: 30,
  responseTimeoutMs: 3_500,
  idForm: 'same' as IdForm,
  concatenation: 'udh' as 'udh' | 'sar',
};

const PRINTABLE = /^[\x20-\x7e]*$/;

/** Throws when a value has no place in the protocol; never with the value. */
export function fillIn(given: SmppSettings): FullSettings {
  const settings = { ...DEFAULTS, ...given };
  const limits = { systemId: 15, password: 8, systemType: 12 } as const;
  for (const [name, max] of Object.entries(limits)) {
    const value = settings[name as keyof typeof limits];
    if (value.length > max || !PRINTABLE.test(value)) {
      throw new Error(`SMPP: ${name} has more than ${max} characters, or other than Latin ones`);
    }
  }
  if (!isNumber(settings.sender) && !/^[\x20-\x7e]{1,11}$/.test(settings.sender)) {
    throw new Error('SMPP: sender has to be 1 to 11 Latin characters, or up to 15 digits');
  }
  const { port, window, ratePerSecond = 1, enquireSeconds, responseTimeoutMs } = settings;
  if (![port, window].every(Number.isInteger)) throw new Error('SMPP: port or window is not whole');
  if (![port, window, ratePerSecond, enquireSeconds, responseTimeoutMs].every((n) => n > 0)) {
    throw new Error('SMPP: a number among the settings is not above zero');
  }
  return settings;
}

/** Whether a sender is a number, and not a name. */
export function isNumber(sender: string): boolean {
  return /^\d{1,15}$/.test(sender);
}

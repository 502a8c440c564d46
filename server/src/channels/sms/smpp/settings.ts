import type { IdForm } from './message-id.ts';

export type SmppSettings = {
  /** Unique among the providers; `smpp` when not given. */
  name?: string;
  /** The name or address of the message centre. */
  host: string;
  /** 2775 when not given. */
  port?: number;
  /** Whether the port uses TLS; off by default. */
  tls?: boolean;
  /** The CA of the centre's certificate in PEM, when it is not a public one. */
  tlsCa?: string;
  /** At most 15 characters. */
  systemId: string;
  /** Secret; at most 8 characters. */
  password: string;
  /** Only where the operator asks for one; at most 12 characters. */
  systemType?: string;
  /** The sender name or number: at most 11 characters, or 15 digits. */
  sender: string;
  /** How many messages may be unanswered at once; 10 when not given. */
  window?: number;
  /** As agreed with the operator; without it only the window limits the rate. */
  ratePerSecond?: number;
  /** The interval of enquire_link; 30 when not given. */
  enquireSeconds?: number;
  /** The deadline of a response; 3500 when not given. */
  responseTimeoutMs?: number;
  /** How ids in receipts differ from those in responses; `same` when not given. */
  idForm?: IdForm;
  /** How the parts of a message are linked; `udh` when not given. */
  concatenation?: 'udh' | 'sar';
};

/** The settings with all defaults applied. */
export type FullSettings = SmppSettings & typeof DEFAULTS;

const DEFAULTS = {
  name: 'smpp',
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

/** Throws when a value does not fit the protocol. The error never contains the value. */
export function applyDefaults(given: SmppSettings): FullSettings {
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

/** Whether a sender is a number rather than a name. */
export function isNumber(sender: string): boolean {
  return /^\d{1,15}$/.test(sender);
}

import type { VendorStatuses } from './command-status.ts';
import type { IdForm } from './message-id.ts';

export type SmppSettings = {
  /** Unique among the providers; `smpp` when not given. */
  name?: string;
  /**
   * The name or address of the message centre. Several, separated by commas, are one account at
   * several centres; each may have a port of its own.
   */
  host: string;
  /** Whether messages go to all hosts, or to the first that is bound; `all` when not given. */
  hostUse?: 'all' | 'first';
  /** The port of hosts without one of their own; 2775 when not given. */
  port?: number;
  /** Whether the port uses TLS; off by default. */
  tls?: boolean;
  /** The CA of the centre's certificate in PEM, when it is not a public one. */
  tlsCa?: string;
  /** One bind for both directions, or one for each; `transceiver` when not given. */
  bind?: 'transceiver' | 'separate';
  /** How many binds each host gets; 1 when not given. */
  binds?: number;
  /** The standard allows 15 characters; some centres give longer ones. */
  systemId: string;
  /** Secret. The standard allows 8 characters; some centres give longer ones. */
  password: string;
  /** Only where the operator asks for one. */
  systemType?: string;
  /** Which addresses messages from phones may have; only where the operator asks for it. */
  addressRange?: string;
  /** Only where the operator asks for one; at most 5 characters. */
  serviceType?: string;
  /** The sender name or number: at most 11 characters, or 15 digits. */
  sender: string;
  /** Type of number and numbering plan; those that suit the address when not given. */
  sourceTon?: number;
  sourceNpi?: number;
  destinationTon?: number;
  destinationNpi?: number;
  /** Whether the centre is told when a code expires; it is by default. */
  hasValidity?: boolean;
  /** What the centre reads texts of data_coding 0 in; `gsm` when not given. */
  alphabet?: 'gsm' | 'latin1';
  /** How many messages may be unanswered at once on a connection; 10 when not given. */
  window?: number;
  /** As agreed with the operator; without it only the window limits the rate. */
  ratePerSecond?: number;
  /** The interval of enquire_link; 30 when not given. */
  enquireSeconds?: number;
  /** The deadline of a response; 3500 when not given. */
  responseTimeoutMs?: number;
  /** How ids in receipts differ from those in responses; `same` when not given. */
  idForm?: IdForm;
  /** How a long text is sent: in parts linked by a header or by fields, or whole; `udh` when not given. */
  concatenation?: 'udh' | 'sar' | 'payload';
  /** What the operator's own statuses mean. */
  statuses?: VendorStatuses;
};

/** The settings with all defaults applied. */
export type FullSettings = SmppSettings & typeof DEFAULTS;

const DEFAULTS = {
  name: 'smpp',
  hostUse: 'all' as 'all' | 'first',
  port: 2775,
  bind: 'transceiver' as 'transceiver' | 'separate',
  binds: 1,
  tls: false,
  systemType: '',
  addressRange: '',
  serviceType: '',
  destinationTon: 1,
  destinationNpi: 1,
  hasValidity: true,
  alphabet: 'gsm' as 'gsm' | 'latin1',
  window: 10,
  enquireSeconds: 30,
  responseTimeoutMs: 3_500,
  idForm: 'same' as IdForm,
  concatenation: 'udh' as 'udh' | 'sar' | 'payload',
  statuses: new Map() as VendorStatuses,
};

const PRINTABLE = /^[\x20-\x7e]*$/;
/** What a PDU has room for. */
export const LENGTHS_MAX = {
  systemId: 255,
  password: 255,
  systemType: 255,
  addressRange: 40,
  serviceType: 5,
} as const;
/** What the standard allows. */
const STANDARD_LENGTHS = { systemId: 15, password: 8, systemType: 12 } as const;

/** Throws when a value does not fit the protocol. The error never contains the value. */
export function applyDefaults(given: SmppSettings): FullSettings {
  const settings = { ...DEFAULTS, ...given };
  for (const [name, max] of Object.entries(LENGTHS_MAX)) {
    const value = settings[name as keyof typeof LENGTHS_MAX];
    if (value.length > max || !PRINTABLE.test(value)) {
      throw new Error(`SMPP: ${name} has more than ${max} characters, or other than Latin ones`);
    }
  }
  if (!isNumber(settings.sender) && !/^[\x20-\x7e]{1,11}$/.test(settings.sender)) {
    throw new Error('SMPP: sender has to be 1 to 11 Latin characters, or up to 15 digits');
  }
  const { port, binds, window, ratePerSecond = 1, enquireSeconds, responseTimeoutMs } = settings;
  if (![port, binds, window].every(Number.isInteger)) {
    throw new Error('SMPP: port, binds or window is not whole');
  }
  if (
    ![port, binds, window, ratePerSecond, enquireSeconds, responseTimeoutMs].every((n) => n > 0)
  ) {
    throw new Error('SMPP: a number among the settings is not above zero');
  }
  return settings;
}

/** Which settings are longer than the standard allows, by their names in the environment. */
export function listTooLong(settings: FullSettings): string[] {
  return Object.entries(STANDARD_LENGTHS).flatMap(([name, max]) => {
    const { length } = settings[name as keyof typeof STANDARD_LENGTHS];
    return length > max ? [`${envName(settings, name)} has ${length} characters`] : [];
  });
}

/** `idForm` of the account `smpp-2` is SMPP_2_ID_FORM. */
export function envName({ name }: Pick<FullSettings, 'name'>, field: string): string {
  const words = `${name}_${field.replaceAll(/[A-Z]/g, (letter) => `_${letter}`)}`;
  return words.replaceAll('-', '_').toUpperCase();
}

/** Whether a sender is a number rather than a name. */
export function isNumber(sender: string): boolean {
  return /^\d{1,15}$/.test(sender);
}

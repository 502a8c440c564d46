import { readVendorStatuses } from './command-status.ts';
import type { SmppSettings } from './settings.ts';

type Values = Readonly<Record<string, string | undefined>>;

const NUMBERS = [
  'port',
  'binds',
  'window',
  'ratePerSecond',
  'enquireSeconds',
  'responseTimeoutMs',
  'sourceTon',
  'sourceNpi',
  'destinationTon',
  'destinationNpi',
] as const;

/** The settings of an account from their texts, which the config reader has checked. */
export function readSmppSettings(values: Values, name: string): SmppSettings {
  const { tls, validity, statuses, ...texts } = values;
  const numbers = NUMBERS.flatMap((field) =>
    texts[field] === undefined ? [] : [[field, Number(texts[field])]],
  );
  return {
    ...(texts as Pick<SmppSettings, 'host' | 'systemId' | 'password' | 'sender'>),
    ...Object.fromEntries(numbers),
    name,
    ...(tls !== undefined && { tls: tls === 'yes' }),
    ...(validity !== undefined && { hasValidity: validity === 'yes' }),
    ...(statuses !== undefined && { statuses: readVendorStatuses(statuses) }),
  };
}

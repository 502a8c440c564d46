/** Parsers of argument values: each returns the value or throws a UsageError. */
import { almatyTime, fromAlmatyTime } from '../../almaty.ts';
import type { CompanyId } from '../../ids.ts';
import type { Given } from './command.ts';
import { UsageError } from './command.ts';

export type Range = { min: number; max: number };

const ID: Range = { min: 1, max: Number.MAX_SAFE_INTEGER };

export function wholeNumber(name: string, text: string, range: Range): number {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return value;
  throw new UsageError((texts) => texts.badNumber(name, text, range));
}

export function idOf(name: string, text: string): number {
  return wholeNumber(name, text, ID);
}

export function optionalNumber(given: Given, option: string, range: Range): number | undefined {
  const text = given.text(option);
  return text === undefined ? undefined : wholeNumber(`--${option}`, text, range);
}

export function requiredOption(given: Given, option: string): string {
  const text = given.text(option);
  if (text === undefined) throw new UsageError((texts) => texts.missing(`--${option}`));
  return text;
}

/** A name for people to read: one line, not blank, without control characters. */
export function optionalName(given: Given, option: string, lengthMax: number): string | undefined {
  const text = given.text(option)?.trim();
  if (text === undefined) return undefined;
  const isValid = text.length >= 1 && text.length <= lengthMax && !/\p{Cc}/u.test(text);
  if (!isValid) throw new UsageError((texts) => texts.badName(`--${option}`, lengthMax));
  return text;
}

export function requiredName(given: Given, option: string, lengthMax: number): string {
  requiredOption(given, option);
  return optionalName(given, option, lengthMax) as string;
}

export function companyIdOf(given: Given): CompanyId {
  return idOf('--company', requiredOption(given, 'company')) as CompanyId;
}

/**
 * A moment in Almaty: a day (`2026-12-01`, its midnight), a time of today (`14:05`), or both
 * (`2026-12-01 14:05`).
 */
export function optionalMoment(given: Given, option: string, now: Date): Date | undefined {
  const text = given.text(option)?.trim();
  if (text === undefined) return undefined;
  const match = /^(\d{4}-\d\d-\d\d)?(?:(?:^|[ T])(\d\d?:\d\d)(:\d\d)?)?$/.exec(text);
  const [, day = almatyTime(now).slice(0, 10), minutes = '00:00', seconds = ':00'] = match ?? [];
  const local = `${day} ${minutes.padStart(5, '0')}${seconds}`;
  const moment = match === null || text === '' ? undefined : fromAlmatyTime(local);
  if (moment === undefined) throw new UsageError((texts) => texts.badMoment(`--${option}`, text));
  return moment;
}

/** A company that may be left out. */
export function optionalCompanyId(given: Given): CompanyId | undefined {
  return given.text('company') === undefined ? undefined : companyIdOf(given);
}

export function oneOf<Word extends string>(
  name: string,
  text: string,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === text);
  if (found === undefined) throw new UsageError((texts) => texts.badChoice(name, text, words));
  return found;
}

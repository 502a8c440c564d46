import Type, { type Static } from 'typebox';
import { Count, Instant, orNull } from './fields.ts';

/** What is known of a click on a short link, and how it is told. */

export const CLICK_KINDS = ['person', 'scan', 'robot'] as const;
export const CLICK_DEVICES = ['phone', 'tablet', 'computer'] as const;
export type ClickDevice = (typeof CLICK_DEVICES)[number];
export const CLICK_SYSTEMS = ['android', 'ios', 'windows', 'macos', 'linux'] as const;
export type ClickSystem = (typeof CLICK_SYSTEMS)[number];
export const CLICK_BROWSERS = [
  'chrome',
  'safari',
  'samsung',
  'yandex',
  'opera',
  'edge',
  'firefox',
  'miui',
  'instagram',
  'facebook',
  'telegram',
  'viber',
] as const;
export type ClickBrowser = (typeof CLICK_BROWSERS)[number];

/**
 * The properties by which the clicks of people are counted. The value of a city begins with its
 * country, as in `KZ Almaty`, because others have the same name.
 */
export const CLICK_PARTS = ['device', 'system', 'browser', 'country', 'city', 'referrer'] as const;
export type ClickPart = (typeof CLICK_PARTS)[number];

const Value = Type.Object({ value: Type.String(), people: Count });

/** The most frequent values of a property among the clicks and scans of people in the range. */
export const ClickTop = Type.Object({
  top: Type.Array(Value),
  /** With values that are not in `top`. */
  others: Count,
  /** Of which the property is not known. */
  unknown: Count,
});
export type ClickTop = Static<typeof ClickTop>;

/** One click, robots included. Properties are null where they are not known, and for robots. */
export const LinkClick = Type.Object({
  at: Instant,
  kind: Type.Enum([...CLICK_KINDS]),
  device: orNull(Type.Enum([...CLICK_DEVICES])),
  system: orNull(Type.Enum([...CLICK_SYSTEMS])),
  browser: orNull(Type.Enum([...CLICK_BROWSERS])),
  country: orNull(Type.String()),
  city: orNull(Type.String()),
  referrer: orNull(Type.String()),
  /** The phone to which the link was sent; masked for those who may not see phones. */
  phone: orNull(Type.String()),
});
export type LinkClick = Static<typeof LinkClick>;

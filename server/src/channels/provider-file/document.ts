/** An answer or a callback, in which values are found by their places. */
import type { DocumentFormat, Place } from '../../config/provider-file/place.ts';
import { asObject } from '../../json-object.ts';
import { parseXml, type XmlElement } from '../../runtime/xml.ts';

export type Document = {
  /** The text there without blanks around it; undefined when there is none. */
  find(place: Place): string | undefined;
  /** The items of a list; one thing that is not in a list is its only item. */
  each(place: Place): Document[];
};

/** Bounds the time that a pattern takes. What is longer is not an answer in plain text. */
const TEXT_LENGTH_MAX = 4_096;

/** Undefined when the text does not have this format. */
export function openDocument(format: DocumentFormat, text: string): Document | undefined {
  switch (format.format) {
    case 'json':
      return openJson(text);
    case 'xml': {
      const element = parseXml(text);
      return element && xmlDocument(element);
    }
    case 'form':
    case 'query': {
      const fields = new URLSearchParams(text);
      // Of two values, somebody else may have read the other.
      return fieldDocument((name) => {
        const values = fields.getAll(name);
        return values.length === 1 ? values[0] : undefined;
      });
    }
    case 'text': {
      const trimmed = text.trim();
      if (trimmed.length > TEXT_LENGTH_MAX) return undefined;
      const groups = format.pattern.exec(trimmed);
      return groups && fieldDocument((name) => groups[name]);
    }
  }
}

/** Fields that were already taken apart. */
export function fieldDocument(read: (name: string) => string | undefined): Document {
  const document: Document = {
    find: (place) => (place.kind === 'name' ? trimmedText(read(place.name)) : undefined),
    each: () => [document],
  };
  return document;
}

function trimmedText(value: unknown): string | undefined {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
  return String(value).trim() || undefined;
}

function openJson(text: string): Document | undefined {
  try {
    return jsonDocument(JSON.parse(text, keepDigits));
  } catch {
    return undefined;
  }
}

/** An id of twenty digits is a number in JSON, but not in JavaScript. */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const isTooLong = typeof value === 'number' && !Number.isSafeInteger(value);
  const digits = context?.source ?? '';
  return isTooLong && /^-?\d+$/.test(digits) ? digits : value;
}

function jsonDocument(root: unknown): Document {
  const walk = (place: Place) => {
    if (place.kind !== 'json') return undefined;
    return place.steps.reduce<unknown>((value, step) => {
      if (Array.isArray(value)) return /^\d+$/.test(step) ? value[Number(step)] : undefined;
      const object = asObject(value);
      return object !== undefined && Object.hasOwn(object, step) ? object[step] : undefined;
    }, root);
  };
  return {
    find: (place) => trimmedText(walk(place)),
    each(place) {
      const value = walk(place);
      if (value === undefined) return [];
      return (Array.isArray(value) ? value : [value]).map(jsonDocument);
    },
  };
}

function xmlDocument(root: XmlElement): Document {
  const childrenOf = (element: XmlElement | undefined, name: string | undefined) =>
    element?.children.filter((child) => child.name === name) ?? [];
  type XmlPlace = Extract<Place, { kind: 'xml' }>;
  const walk = (steps: XmlPlace['steps']) =>
    steps.reduce<XmlElement | undefined>(
      (element, { name, number }) => childrenOf(element, name)[number - 1],
      root,
    );
  return {
    find(place) {
      if (place.kind !== 'xml') return undefined;
      const element = walk(place.steps);
      const { attribute } = place;
      return trimmedText(
        attribute === undefined ? element?.text : element?.attributes.get(attribute),
      );
    },
    each(place) {
      if (place.kind !== 'xml') return [];
      const parent = walk(place.steps.slice(0, -1));
      return childrenOf(parent, place.steps.at(-1)?.name).map(xmlDocument);
    },
  };
}

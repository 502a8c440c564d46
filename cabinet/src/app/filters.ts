import { useNavigate, useSearch } from '@tanstack/react-router';

/** Reads one filter from the address; what makes no sense there is as if it were absent. */
type Reader<Value> = (text: string) => Value | undefined;
type Readers = Record<string, Reader<unknown>>;
export type FiltersOf<Shape extends Readers> = {
  [Name in keyof Shape]: ReturnType<Shape[Name]> | undefined;
};

/** Any text. */
export const text: Reader<string> = (value) => value || undefined;
/** A whole number, such as an id. */
export const whole: Reader<number> = (value) =>
  /^\d{1,15}$/.test(value) ? Number(value) : undefined;
export const yesNo: Reader<boolean> = (value) =>
  value === 'true' ? true : value === 'false' ? false : undefined;

/** One of the words of a list. */
export function oneOf<Word extends string>(words: readonly Word[]): Reader<Word> {
  return (value) => words.find((word) => word === value);
}

/** Some of the words of a list; in the address a comma stands between them. */
export function someOf<Word extends string>(words: readonly Word[]): Reader<Word[]> {
  return (value) => {
    const named = value.split(',');
    const found = words.filter((word) => named.includes(word));
    return found.length === 0 ? undefined : found;
  };
}

/**
 * The filters of a page live in its address, so that any view can be sent to a colleague and the
 * back button works. Give the shape from outside of the component.
 */
export function useFilters<Shape extends Readers>(shape: Shape) {
  const search = useSearch({ strict: false }) as Record<string, string>;
  const navigate = useNavigate();
  const filters = readFilters(shape, search);
  /** Changes some; undefined takes one away. `isTyping` keeps each letter out of the history. */
  const setFilters = (changes: Partial<FiltersOf<Shape>>, { isTyping = false } = {}) => {
    void navigate({
      to: '.',
      search: { ...search, ...writeFilters(changes) } as never,
      replace: isTyping,
      resetScroll: false,
    });
  };
  const resetFilters = () => {
    const cleared = Object.fromEntries(Object.keys(shape).map((name) => [name, undefined]));
    setFilters(cleared as Partial<FiltersOf<Shape>>);
  };
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return { filters, setFilters, resetFilters, isFiltered };
}

export function readFilters<Shape extends Readers>(
  shape: Shape,
  search: Record<string, string>,
): FiltersOf<Shape> {
  const entries = Object.entries(shape).map(([name, read]) => [name, read(search[name] ?? '')]);
  return Object.fromEntries(entries) as FiltersOf<Shape>;
}

function writeFilters(changes: Record<string, unknown>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      name,
      value === undefined || value === '' ? undefined : String(value),
    ]),
  );
}

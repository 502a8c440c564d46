import { useNavigate, useSearch } from '@tanstack/react-router';

/** Parses one filter from the URL; an invalid value counts as absent. */
type Reader<Value> = (text: string) => Value | undefined;
type Readers = Record<string, Reader<unknown>>;
export type FiltersOf<Shape extends Readers> = {
  [Name in keyof Shape]: ReturnType<Shape[Name]> | undefined;
};

/** Any text that is not empty. */
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

/** Some of the words of a list, separated by commas in the URL. */
export function someOf<Word extends string>(words: readonly Word[]): Reader<Word[]> {
  return (value) => {
    const named = value.split(',');
    const found = words.filter((word) => named.includes(word));
    return found.length === 0 ? undefined : found;
  };
}

/**
 * Keeps the filters of a page in its URL, so that any view can be shared and the back button works.
 * Define the shape outside the component.
 */
export function useFilters<Shape extends Readers>(shape: Shape) {
  const search = useSearch({ strict: false }) as Record<string, string>;
  const navigate = useNavigate();
  const filters = readFilters(shape, search);
  /** Undefined removes a filter. `isTyping` replaces the history entry instead of adding one. */
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

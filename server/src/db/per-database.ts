import type { Database } from './database.ts';

/** Something kept once for each database, such as a cache of what it holds. */
export function perDatabase<T>(make: (db: Database) => T): (db: Database) => T {
  const made = new WeakMap<Database, T>();
  return (db) => {
    let thing = made.get(db);
    if (thing === undefined) {
      thing = make(db);
      made.set(db, thing);
    }
    return thing;
  };
}

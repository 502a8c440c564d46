/**
 * Loaded into a server before anything else: its clock is off by so many milliseconds. The clock of
 * PostgreSQL stays true.
 */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
const TrueDate = Date;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [TrueDate.now() + shiftMs] : args, newTarget),
  get: (target, name) =>
    name === 'now' ? () => TrueDate.now() + shiftMs : Reflect.get(target, name),
});

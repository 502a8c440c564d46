/**
 * Preloaded into a server process to shift its clock by CLOCK_SHIFT_MS. The clock of PostgreSQL is
 * not shifted.
 */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
const SystemDate = Date;

globalThis.Date = new Proxy(SystemDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [SystemDate.now() + shiftMs] : args, newTarget),
  get: (target, name) =>
    name === 'now' ? () => SystemDate.now() + shiftMs : Reflect.get(target, name),
});

// Loaded with `node --import` to simulate a wrong clock: it differs by SHIFT_SECONDS, and by another JUMP_SECONDS after
// SIGUSR2. The monotonic clock is not changed, as on a real machine.

const RealDate = Date;
let shiftMs = Number(process.env['SHIFT_SECONDS'] ?? 0) * 1000;

class ShiftedDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    // with arguments, a date does not depend on the clock
    else super(...(given as [number]));
  }
  static override now(): number {
    return RealDate.now() + shiftMs;
  }
}
globalThis.Date = ShiftedDate as DateConstructor;

process.on('SIGUSR2', () => {
  shiftMs += Number(process.env['JUMP_SECONDS'] ?? 0) * 1000;
  process.stderr.write(`the clock jumped\n`);
});

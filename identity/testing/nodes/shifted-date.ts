// Loaded before a node's own code (`node --import`): its machine's clock is wrong by SHIFT_SECONDS, and by JUMP_SECONDS more from the moment
// that SIGUSR2 says so. The monotonic clock is not touched, as nobody's is when the time is set.

const RealDate = Date;
let shiftMs = Number(process.env['SHIFT_SECONDS'] ?? 0) * 1000;

class ShiftedDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    // whatever else a date is made of has nothing to do with now
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

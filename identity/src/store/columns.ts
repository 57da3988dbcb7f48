import type { ColumnType } from 'kysely';

// What columns have in common, whatever their table.

export type Moment = ColumnType<Date, Date, Date>;
export type OptionalMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;
